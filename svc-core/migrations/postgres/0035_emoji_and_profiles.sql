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

-- When a person last used a login, or an agent a credential of its own.
ALTER TABLE participants ADD COLUMN seen_at BIGINT;
UPDATE participants
   SET seen_at = (SELECT max(k.used_at) FROM api_keys k WHERE k.agent_id = participants.id)
 WHERE kind = 'agent';
UPDATE participants
   SET seen_at = (SELECT max(s.seen_at) FROM sessions s WHERE s.user_id = participants.id)
 WHERE kind = 'human';

-- What participants say about themselves. One without a row has said nothing.
CREATE TABLE profiles (
    participant_id BIGINT NOT NULL,
    status_text    TEXT NOT NULL,
    status_emoji   TEXT,
    status_until   BIGINT,
    -- Who may see when a person was last seen.
    presence       TEXT NOT NULL,
    updated_at     BIGINT NOT NULL,
    CONSTRAINT profiles_pkey PRIMARY KEY (participant_id),
    CONSTRAINT profiles_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id),
    CONSTRAINT profiles_presence_check CHECK (presence IN ('everyone', 'nobody'))
);

-- Avatars as they are sent.
CREATE TABLE avatars (
    participant_id BIGINT NOT NULL,
    -- SHA-256 of the content, in hexadecimal digits.
    hash           TEXT NOT NULL,
    mime_type      TEXT NOT NULL,
    content        BYTEA NOT NULL,
    created_at     BIGINT NOT NULL,
    CONSTRAINT avatars_pkey PRIMARY KEY (participant_id),
    CONSTRAINT avatars_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
);
CREATE INDEX avatars_hash_idx ON avatars (hash, participant_id);
