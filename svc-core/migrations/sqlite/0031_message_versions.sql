-- Messages that were edited or deleted. A deleted message keeps its row, without text, metadata, files and reactions.
ALTER TABLE messages ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE messages ADD COLUMN edited_at INTEGER;
ALTER TABLE messages ADD COLUMN deleted_at INTEGER;
ALTER TABLE messages ADD COLUMN deleted_by INTEGER CONSTRAINT messages_deleted_by_fkey REFERENCES participants (id);
-- The deleted messages after a read cursor do not count as unread.
CREATE INDEX messages_deleted_idx ON messages (conversation_id, id) WHERE deleted_at IS NOT NULL;

-- The earlier texts of messages. The current one is in the message.
CREATE TABLE message_versions (
    message_id INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    body       TEXT    NOT NULL,
    -- When this text was written.
    created_at INTEGER NOT NULL,
    CONSTRAINT message_versions_pkey PRIMARY KEY (message_id, version),
    CONSTRAINT message_versions_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE
) WITHOUT ROWID;
