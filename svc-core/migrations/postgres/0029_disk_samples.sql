-- The space that the hub takes and that is left, once an hour.
CREATE TABLE disk_samples (
    -- The beginning of the hour.
    taken_at    BIGINT NOT NULL,
    -- The disk of the data directory; absent where the system does not tell.
    free_bytes  BIGINT,
    total_bytes BIGINT,
    store_bytes BIGINT NOT NULL,
    file_bytes  BIGINT NOT NULL,
    CONSTRAINT disk_samples_pkey PRIMARY KEY (taken_at)
);
