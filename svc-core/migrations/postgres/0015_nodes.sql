-- The processes on the store, and where each keeps the bytes of files: those that do not share them would miss
-- each other's.
CREATE TABLE nodes (
    id      TEXT   NOT NULL,
    -- Tells one place of files from another.
    blobs   TEXT   NOT NULL,
    -- The same in words.
    place   TEXT   NOT NULL,
    seen_at BIGINT NOT NULL,
    CONSTRAINT nodes_pkey PRIMARY KEY (id)
);

-- Nobody: whoever joins takes hold of this row first.
INSERT INTO nodes (id, blobs, place, seen_at) VALUES ('', '', '', 0);
