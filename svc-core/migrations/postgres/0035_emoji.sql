-- Emoji under messages, which have no effect on the workflow.
CREATE TABLE message_emoji (
    id BIGINT GENERATED ALWAYS AS IDENTITY,
    message_id     BIGINT NOT NULL,
    participant_id BIGINT NOT NULL,
    emoji          TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    CONSTRAINT message_emoji_pkey PRIMARY KEY (id),
    CONSTRAINT message_emoji_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT message_emoji_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
);
CREATE UNIQUE INDEX message_emoji_once_key ON message_emoji (message_id, emoji, participant_id);
-- The number of rows above, so that messages without emoji are read without them.
ALTER TABLE messages ADD COLUMN emoji_count BIGINT NOT NULL DEFAULT 0;
