-- Emoji under messages, which have no effect on the workflow.
CREATE TABLE message_emoji (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id     INTEGER NOT NULL,
    participant_id INTEGER NOT NULL,
    emoji          TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    CONSTRAINT message_emoji_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT message_emoji_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
);
CREATE UNIQUE INDEX message_emoji_once_key ON message_emoji (message_id, emoji, participant_id);
-- The number of rows above, so that messages without emoji are read without them.
ALTER TABLE messages ADD COLUMN emoji_count INTEGER NOT NULL DEFAULT 0;
