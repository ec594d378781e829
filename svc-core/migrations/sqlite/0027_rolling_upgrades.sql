-- The version of each process and the newest schema that it knows, so that an upgrade that older processes could not go
-- on with waits for them.
ALTER TABLE nodes ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN schema INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN started_at INTEGER NOT NULL DEFAULT 0;
