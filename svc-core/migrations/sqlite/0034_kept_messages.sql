-- Messages that are pinned in their conversation, at most once each. A later pin has a larger id.
CREATE TABLE pins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id      INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL,
    pinned_by       INTEGER NOT NULL,
    pinned_at       INTEGER NOT NULL,
    CONSTRAINT pins_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT pins_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id),
    CONSTRAINT pins_pinned_by_fkey FOREIGN KEY (pinned_by) REFERENCES participants (id)
);
CREATE UNIQUE INDEX pins_message_id_key ON pins (message_id);
CREATE INDEX pins_conversation_id_idx ON pins (conversation_id, id);

-- Messages that a human has saved for later, with a note, at most once each. A later one has a larger id.
CREATE TABLE saved_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    note       TEXT,
    saved_at   INTEGER NOT NULL,
    CONSTRAINT saved_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT saved_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_messages_message_id_key ON saved_messages (message_id, user_id);
CREATE INDEX saved_messages_user_id_idx ON saved_messages (user_id, id);

-- Messages that the hub sends later, as their authors. Those that were sent or refused stay for a while.
CREATE TABLE scheduled_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    author_id  INTEGER NOT NULL,
    -- The human whom the author is or belongs to.
    owner_id   INTEGER NOT NULL,
    -- The key or the grant with which it was scheduled, if one was used that can end on its own.
    api_key_id INTEGER,
    grant_id   INTEGER,
    recipient  TEXT,
    channel    TEXT,
    subject    TEXT    NOT NULL,
    -- Empty once it was sent: the message has the text.
    body       TEXT    NOT NULL,
    priority   INTEGER NOT NULL,
    metadata   TEXT    NOT NULL,
    reply_to   INTEGER,
    depth      INTEGER NOT NULL,
    send_at    INTEGER NOT NULL,
    status     TEXT    NOT NULL,
    message_id INTEGER,
    error_code TEXT,
    error      TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT scheduled_messages_target_check CHECK ((recipient IS NULL) <> (channel IS NULL)),
    CONSTRAINT scheduled_messages_status_check CHECK (status IN ('waiting', 'sent', 'failed')),
    CONSTRAINT scheduled_messages_error_check CHECK ((status = 'failed') = (error_code IS NOT NULL)),
    CONSTRAINT scheduled_messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES participants (id),
    CONSTRAINT scheduled_messages_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT scheduled_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE SET NULL
);
CREATE INDEX scheduled_messages_owner_id_idx ON scheduled_messages (owner_id, id);
CREATE INDEX scheduled_messages_author_id_idx ON scheduled_messages (author_id);
CREATE INDEX scheduled_messages_message_id_idx ON scheduled_messages (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX scheduled_messages_waiting_idx ON scheduled_messages (owner_id) WHERE status = 'waiting';
CREATE INDEX scheduled_messages_due_idx ON scheduled_messages (send_at) WHERE status = 'waiting';
CREATE INDEX scheduled_messages_ended_idx ON scheduled_messages (updated_at) WHERE status <> 'waiting';

-- Texts that a human writes often. Names are unique for each human, regardless of case.
CREATE TABLE message_templates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    name_key   TEXT    NOT NULL,
    body       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT message_templates_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX message_templates_name_key ON message_templates (user_id, name_key);
