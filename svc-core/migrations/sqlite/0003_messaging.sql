-- What is said: conversations, messages and their receipts, channels and their members, read cursors,
-- reactions and the trust they bring, attachments, dead letters, and the counts that analytics shows.

-- Rooms. A channel in which a workflow runs reads the reactions on its messages as states.
ALTER TABLE channels ADD COLUMN topic TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN member_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN workflow_enabled BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE channels ADD COLUMN auto_approve BOOLEAN NOT NULL DEFAULT FALSE;
-- Seconds; 0 is never.
ALTER TABLE channels ADD COLUMN stalemate_remind_after INTEGER NOT NULL DEFAULT 86400;
ALTER TABLE channels ADD COLUMN stalemate_escalate_after INTEGER NOT NULL DEFAULT 259200;
-- Millionths, as trust is.
ALTER TABLE channels ADD COLUMN publish_threshold INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN approve_threshold INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX channels_workflow_idx ON channels (id) WHERE workflow_enabled;

CREATE TABLE channel_members (
    channel_id     INTEGER NOT NULL,
    participant_id INTEGER NOT NULL,
    joined_at      INTEGER NOT NULL,
    CONSTRAINT channel_members_pkey PRIMARY KEY (channel_id, participant_id),
    CONSTRAINT channel_members_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id),
    CONSTRAINT channel_members_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
) WITHOUT ROWID;
CREATE INDEX channel_members_participant_id_idx ON channel_members (participant_id, channel_id);

-- One per channel; for direct messages one per pair and subject. The row is taken before a message of
-- it gets its id, so that ids are in commit order within it.
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id      INTEGER,
    -- The two of a direct conversation, the smaller id first; equal when somebody writes to themselves.
    low_id          INTEGER,
    high_id         INTEGER,
    subject         TEXT    NOT NULL,
    -- How many messages were ever sent in it: the place of the newest.
    message_count   INTEGER NOT NULL,
    last_message_at INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    CONSTRAINT conversations_kind_check CHECK
        ((channel_id IS NULL) = (low_id IS NOT NULL AND high_id IS NOT NULL) AND low_id <= high_id),
    CONSTRAINT conversations_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id),
    CONSTRAINT conversations_low_id_fkey FOREIGN KEY (low_id) REFERENCES participants (id),
    CONSTRAINT conversations_high_id_fkey FOREIGN KEY (high_id) REFERENCES participants (id)
);
CREATE UNIQUE INDEX conversations_channel_key ON conversations (channel_id) WHERE channel_id IS NOT NULL;
CREATE UNIQUE INDEX conversations_pair_key ON conversations (low_id, high_id, subject) WHERE low_id IS NOT NULL;
CREATE INDEX conversations_high_id_idx ON conversations (high_id) WHERE high_id IS NOT NULL;

-- What somebody said, once. `recipient_id` is set for direct messages, `channel_id` for the others.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id     INTEGER NOT NULL,
    -- 1 for the first of its conversation, without gaps when it was sent.
    position            INTEGER NOT NULL,
    channel_id          INTEGER,
    sender_id           INTEGER NOT NULL,
    recipient_id        INTEGER,
    -- The humans whom these two are or belong to, which never changes; null for the system.
    sender_owner_id     INTEGER,
    recipient_owner_id  INTEGER,
    subject             TEXT    NOT NULL,
    body                TEXT    NOT NULL,
    priority            INTEGER NOT NULL,
    status              TEXT    NOT NULL,
    metadata            TEXT NOT NULL,
    reply_to            INTEGER,
    -- The first message of its thread, which may be gone; null for one that answers nothing.
    root_id             INTEGER,
    reply_count         INTEGER NOT NULL,
    depth               INTEGER NOT NULL,
    traceparent         TEXT,
    -- For the direct message that tells somebody of a mention: where that was.
    mention_of          INTEGER,
    mention_channel_id  INTEGER,
    attachment_count    INTEGER NOT NULL,
    reaction_count      INTEGER NOT NULL,
    -- Of messages in workflow channels: what their reactions come to, and since when.
    workflow_state      TEXT,
    workflow_changed_at INTEGER,
    reminded_at         INTEGER,
    escalated_at        INTEGER,
    -- Of direct messages: who works on it, until when, and what has become of it.
    claim_token         TEXT,
    claimed_by          INTEGER,
    lease_expires_at    INTEGER,
    attempts            INTEGER NOT NULL,
    offered_at          INTEGER,
    claimed_at          INTEGER,
    finished_at         INTEGER,
    failure             TEXT,
    -- When its author was told that it did not arrive.
    undelivered_at      INTEGER,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    CONSTRAINT messages_kind_check CHECK ((channel_id IS NULL) = (recipient_id IS NOT NULL)),
    CONSTRAINT messages_priority_check CHECK (priority BETWEEN 1 AND 10),
    CONSTRAINT messages_status_check CHECK (status IN ('pending', 'processing', 'done', 'failed')),
    CONSTRAINT messages_claim_check CHECK
        ((status = 'processing') = (claim_token IS NOT NULL)
         AND (claim_token IS NULL) = (claimed_by IS NULL)
         AND (claim_token IS NULL) = (lease_expires_at IS NULL)),
    CONSTRAINT messages_workflow_state_check CHECK
        (workflow_state IN ('proposed', 'approved', 'in_progress', 'rejected', 'done', 'published')),
    CONSTRAINT messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id),
    CONSTRAINT messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id),
    CONSTRAINT messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES participants (id),
    CONSTRAINT messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES participants (id),
    CONSTRAINT messages_sender_owner_id_fkey FOREIGN KEY (sender_owner_id) REFERENCES users (id),
    CONSTRAINT messages_recipient_owner_id_fkey FOREIGN KEY (recipient_owner_id) REFERENCES users (id),
    CONSTRAINT messages_reply_to_fkey FOREIGN KEY (reply_to) REFERENCES messages (id) ON DELETE SET NULL
);
CREATE INDEX messages_conversation_id_idx ON messages (conversation_id, id);
CREATE INDEX messages_inbox_idx ON messages (recipient_id, id) WHERE recipient_id IS NOT NULL;
CREATE INDEX messages_owner_inbox_idx ON messages (recipient_owner_id, id) WHERE recipient_owner_id IS NOT NULL;
CREATE INDEX messages_pending_idx ON messages (recipient_id, priority DESC, id)
    WHERE recipient_id IS NOT NULL AND status = 'pending';
CREATE INDEX messages_lease_idx ON messages (lease_expires_at) WHERE status = 'processing';
-- Those whose authors are still to be told.
CREATE INDEX messages_untold_idx ON messages (id) WHERE status = 'failed' AND undelivered_at IS NULL;
CREATE INDEX messages_reply_to_idx ON messages (reply_to, id) WHERE reply_to IS NOT NULL;
CREATE INDEX messages_root_id_idx ON messages (root_id, id) WHERE root_id IS NOT NULL;
CREATE UNIQUE INDEX messages_mention_key ON messages (recipient_id, mention_channel_id, mention_of)
    WHERE mention_of IS NOT NULL;
CREATE INDEX messages_mention_of_idx ON messages (mention_of) WHERE mention_of IS NOT NULL;
CREATE INDEX messages_workflow_idx ON messages (workflow_state, channel_id, id) WHERE workflow_state IS NOT NULL;
CREATE INDEX messages_reminder_idx ON messages (channel_id, workflow_changed_at)
    WHERE workflow_state IN ('proposed', 'approved', 'in_progress') AND reminded_at IS NULL;
CREATE INDEX messages_stalemate_idx ON messages (channel_id, workflow_changed_at)
    WHERE workflow_state IN ('proposed', 'approved', 'in_progress') AND escalated_at IS NULL;

-- The words of the messages, fed in batches behind the writer. The hub makes the words itself, so that
-- both engines have the same; the tokenizer only has to split them at spaces. The text stays where it
-- is, in the messages. Copies that tell of a mention are left out.
CREATE VIRTUAL TABLE message_words USING fts5
    (subject, body, content='', contentless_delete=1, tokenize='ascii');

-- How far a participant has read a conversation, one row whatever the number of messages. Unread is
-- what was sent after `position`, without what they sent themselves since (`own_after`).
CREATE TABLE read_cursors (
    participant_id  INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL,
    message_id      INTEGER NOT NULL,
    position        INTEGER NOT NULL,
    own_after       INTEGER NOT NULL,
    -- The newest message that was handed out to them.
    offered_id      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    CONSTRAINT read_cursors_pkey PRIMARY KEY (participant_id, conversation_id),
    CONSTRAINT read_cursors_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id),
    CONSTRAINT read_cursors_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id)
) WITHOUT ROWID;
CREATE INDEX read_cursors_conversation_id_idx ON read_cursors (conversation_id, message_id);

CREATE TABLE reactions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id     INTEGER NOT NULL,
    participant_id INTEGER NOT NULL,
    reaction       TEXT    NOT NULL,
    metadata       TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    CONSTRAINT reactions_reaction_check CHECK
        (reaction IN ('approve', 'reject', 'in_progress', 'done', 'published')),
    CONSTRAINT reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT reactions_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
);
CREATE UNIQUE INDEX reactions_once_key ON reactions (message_id, participant_id, reaction);
CREATE UNIQUE INDEX reactions_in_progress_key ON reactions (message_id) WHERE reaction = 'in_progress';

-- Millionths, 0 to 1.
CREATE TABLE trust_scores (
    agent_id    INTEGER NOT NULL,
    action_type TEXT    NOT NULL,
    score       INTEGER NOT NULL,
    adjustments INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    CONSTRAINT trust_scores_pkey PRIMARY KEY (agent_id, action_type),
    CONSTRAINT trust_scores_score_check CHECK (score BETWEEN 0 AND 1000000),
    CONSTRAINT trust_scores_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
) WITHOUT ROWID;

-- What one human's reactions on one message have moved, so that it can be taken back.
CREATE TABLE trust_adjustments (
    message_id     INTEGER NOT NULL,
    participant_id INTEGER NOT NULL,
    agent_id       INTEGER NOT NULL,
    action_type    TEXT    NOT NULL,
    delta          INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    CONSTRAINT trust_adjustments_pkey PRIMARY KEY (message_id, participant_id),
    CONSTRAINT trust_adjustments_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT trust_adjustments_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id),
    CONSTRAINT trust_adjustments_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
) WITHOUT ROWID;

-- Files by the SHA-256 of their content, in small hexadecimal letters.
CREATE TABLE attachments (
    hash       TEXT    NOT NULL,
    size       INTEGER NOT NULL,
    mime_type  TEXT    NOT NULL,
    is_image   BOOLEAN NOT NULL,
    created_at INTEGER NOT NULL,
    -- The last upload or link; what nothing refers to goes a day after.
    touched_at INTEGER NOT NULL,
    CONSTRAINT attachments_pkey PRIMARY KEY (hash)
) WITHOUT ROWID;
CREATE INDEX attachments_touched_at_idx ON attachments (touched_at);

-- Who uploaded a file, and under which name: they may use and read it.
CREATE TABLE attachment_uploads (
    hash           TEXT    NOT NULL,
    participant_id INTEGER NOT NULL,
    filename       TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    CONSTRAINT attachment_uploads_pkey PRIMARY KEY (hash, participant_id),
    CONSTRAINT attachment_uploads_hash_fkey FOREIGN KEY (hash) REFERENCES attachments (hash) ON DELETE CASCADE,
    CONSTRAINT attachment_uploads_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
) WITHOUT ROWID;
CREATE INDEX attachment_uploads_participant_id_idx ON attachment_uploads (participant_id, hash);

CREATE TABLE message_attachments (
    message_id INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    hash       TEXT    NOT NULL,
    filename   TEXT    NOT NULL,
    CONSTRAINT message_attachments_pkey PRIMARY KEY (message_id, position),
    CONSTRAINT message_attachments_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT message_attachments_hash_fkey FOREIGN KEY (hash) REFERENCES attachments (hash)
) WITHOUT ROWID;
CREATE INDEX message_attachments_hash_idx ON message_attachments (hash, message_id);

-- Contents on their way in or out of the blob store, so that nobody removes what another one stores.
CREATE TABLE attachment_moves (
    hash       TEXT    NOT NULL,
    direction  TEXT    NOT NULL,
    holder     TEXT    NOT NULL,
    expires_at INTEGER NOT NULL,
    CONSTRAINT attachment_moves_pkey PRIMARY KEY (hash),
    CONSTRAINT attachment_moves_direction_check CHECK (direction IN ('in', 'out'))
) WITHOUT ROWID;

-- What could not be delivered and waits for a human.
CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind            TEXT    NOT NULL,
    -- The human who sees it.
    owner_id        INTEGER NOT NULL,
    participant_id  INTEGER NOT NULL,
    message_id      INTEGER,
    reason          TEXT    NOT NULL,
    attempts        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    acknowledged_at INTEGER,
    retried_at      INTEGER,
    CONSTRAINT dead_letters_kind_check CHECK (kind IN ('message', 'webhook')),
    CONSTRAINT dead_letters_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT dead_letters_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id),
    CONSTRAINT dead_letters_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX dead_letters_owner_id_idx ON dead_letters (owner_id, id);
CREATE INDEX dead_letters_message_id_idx ON dead_letters (message_id);
CREATE INDEX dead_letters_created_at_idx ON dead_letters (created_at);

-- How many messages went from whom to where, by buckets of time; 0 stands for none.
CREATE TABLE message_rollups (
    grain        TEXT    NOT NULL,
    bucket       INTEGER NOT NULL,
    sender_id    INTEGER NOT NULL,
    channel_id   INTEGER NOT NULL,
    recipient_id INTEGER NOT NULL,
    messages     INTEGER NOT NULL,
    CONSTRAINT message_rollups_pkey PRIMARY KEY (sender_id, grain, bucket, channel_id, recipient_id),
    CONSTRAINT message_rollups_grain_check CHECK (grain IN ('minutes', 'hour', 'day'))
) WITHOUT ROWID;
CREATE INDEX message_rollups_recipient_idx ON message_rollups (recipient_id, grain, bucket);
CREATE INDEX message_rollups_channel_idx ON message_rollups (channel_id, grain, bucket);
CREATE INDEX message_rollups_bucket_idx ON message_rollups (grain, bucket);

-- How far a worker that walks a table has come.
CREATE TABLE worker_positions (
    name       TEXT    NOT NULL,
    position   INTEGER NOT NULL,
    CONSTRAINT worker_positions_pkey PRIMARY KEY (name)
) WITHOUT ROWID;

-- Traces are asked for by whom, by what and by time, and are listed by time.
DROP INDEX traces_owner_idx;
CREATE INDEX traces_owner_created_at_idx ON traces (owner_id, created_at, id);
CREATE INDEX traces_owner_agent_idx ON traces (owner_id, agent, created_at, id);
CREATE INDEX traces_owner_action_idx ON traces (owner_id, action, created_at, id);
CREATE INDEX traces_errors_idx ON traces (owner_id, created_at, id) WHERE error IS NOT NULL;

-- The channels that exist get their conversation, and their owner as the first member.
UPDATE channels SET updated_at = created_at, member_count = 1;
INSERT INTO channel_members (channel_id, participant_id, joined_at)
SELECT id, owner_id, created_at FROM channels;
INSERT INTO conversations (channel_id, subject, message_count, last_message_at, created_at)
SELECT id, '', 0, created_at, created_at FROM channels ORDER BY id;
INSERT INTO read_cursors (participant_id, conversation_id, message_id, position, own_after, offered_id, updated_at)
SELECT c.owner_id, v.id, 0, 0, 0, 0, c.created_at FROM channels c JOIN conversations v ON v.channel_id = c.id;
