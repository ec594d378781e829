-- The schedule of backups, if there is one.
CREATE TABLE backup_schedule (
    id            INTEGER PRIMARY KEY,
    every_seconds INTEGER NOT NULL,
    keep          INTEGER NOT NULL,
    -- An absolute path of a directory, or s3://BUCKET/PREFIX.
    destination   TEXT    NOT NULL,
    -- When the next one is due. While one is made: when it is tried again if its process ends.
    next_at       INTEGER NOT NULL,
    CONSTRAINT backup_schedule_one_check CHECK (id = 1)
);

-- Backups that were made or have failed.
CREATE TABLE backups (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    -- Both are absent for one that a command took away.
    destination TEXT,
    name        TEXT,
    -- The number of rows and files, and the size of the archive where it is known.
    row_count   INTEGER NOT NULL,
    file_count  INTEGER NOT NULL,
    size        INTEGER,
    error       TEXT,
    -- When the schedule removed it, because there were enough newer ones.
    removed_at  INTEGER
);
