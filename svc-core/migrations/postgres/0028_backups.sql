-- The schedule of backups, if there is one.
CREATE TABLE backup_schedule (
    id            BIGINT NOT NULL,
    every_seconds BIGINT NOT NULL,
    keep          BIGINT NOT NULL,
    -- An absolute path of a directory, or s3://BUCKET/PREFIX.
    destination   TEXT   NOT NULL,
    -- When the next one is due. While one is made: when it is tried again if its process ends.
    next_at       BIGINT NOT NULL,
    CONSTRAINT backup_schedule_pkey PRIMARY KEY (id),
    CONSTRAINT backup_schedule_one_check CHECK (id = 1)
);

-- Backups that were made or have failed.
CREATE TABLE backups (
    id          BIGINT GENERATED ALWAYS AS IDENTITY,
    started_at  BIGINT NOT NULL,
    ended_at    BIGINT NOT NULL,
    -- Both are absent for one that a command took away.
    destination TEXT,
    name        TEXT,
    -- The number of rows and files, and the size of the archive where it is known.
    row_count   BIGINT NOT NULL,
    file_count  BIGINT NOT NULL,
    size        BIGINT,
    error       TEXT,
    -- When the schedule removed it, because there were enough newer ones.
    removed_at  BIGINT,
    CONSTRAINT backups_pkey PRIMARY KEY (id)
);
