-- Messages that are pinned in their conversation, at most once each. A later pin has a larger id.
CREATE TABLE pins (
    id BIGINT GENERATED ALWAYS AS IDENTITY,
    message_id      BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    pinned_by       BIGINT NOT NULL,
    pinned_at       BIGINT NOT NULL,
    CONSTRAINT pins_pkey PRIMARY KEY (id),
    CONSTRAINT pins_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT pins_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id),
    CONSTRAINT pins_pinned_by_fkey FOREIGN KEY (pinned_by) REFERENCES participants (id)
);
CREATE UNIQUE INDEX pins_message_id_key ON pins (message_id);
CREATE INDEX pins_conversation_id_idx ON pins (conversation_id, id);

-- Messages that a human has saved for later, with a note, at most once each. A later one has a larger id.
CREATE TABLE saved_messages (
    id BIGINT GENERATED ALWAYS AS IDENTITY,
    user_id    BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    note       TEXT,
    saved_at   BIGINT NOT NULL,
    CONSTRAINT saved_messages_pkey PRIMARY KEY (id),
    CONSTRAINT saved_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT saved_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_messages_message_id_key ON saved_messages (message_id, user_id);
CREATE INDEX saved_messages_user_id_idx ON saved_messages (user_id, id);
