-- What the hub knows of the store of its files. Both carry the same id, so that no other hub sweeps those files.
CREATE TABLE file_store (
    id            BIGINT NOT NULL,
    hub_id        TEXT   NOT NULL,
    -- Files that no row knows, found when there were too many of them to be set aside; 0 when there are not.
    unknown_files BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT file_store_pkey PRIMARY KEY (id),
    CONSTRAINT file_store_id_check CHECK (id = 1)
);

-- Since when a content is known to be lost or to be another one than its hash says.
ALTER TABLE attachments ADD COLUMN damaged_at BIGINT;
CREATE INDEX attachments_damaged_at_idx ON attachments (damaged_at) WHERE damaged_at IS NOT NULL;
