-- The space that the hub takes and that is left, once an hour.
CREATE TABLE disk_samples (
    -- The beginning of the hour.
    taken_at    INTEGER PRIMARY KEY,
    -- The disk of the data directory; absent where the system does not tell.
    free_bytes  INTEGER,
    total_bytes INTEGER,
    store_bytes INTEGER NOT NULL,
    file_bytes  INTEGER NOT NULL
);
