-- Work that waits, is taken under a lease, and ends as done or dead. `waiting` is work that is not due yet;
-- a claim moves what has come due to `pending`, so that it never reads past work that it may not take.
CREATE TABLE queue_items (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    queue            TEXT    NOT NULL,
    -- Work of one key shares a turn, a rate and a number of leases.
    key              TEXT    NOT NULL,
    priority         INTEGER NOT NULL,
    status           TEXT    NOT NULL,
    attempts         INTEGER NOT NULL,
    max_attempts     INTEGER NOT NULL,
    -- At most one unfinished item of a queue has a given value.
    dedupe           TEXT,
    payload          TEXT    NOT NULL,
    due_at           INTEGER NOT NULL,
    claim_token      TEXT,
    last_claim       TEXT,
    claimed_at       INTEGER,
    lease_expires_at INTEGER,
    failure          TEXT,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    finished_at      INTEGER,
    CONSTRAINT queue_items_status_check CHECK (status IN ('waiting', 'pending', 'leased', 'done', 'dead')),
    CONSTRAINT queue_items_priority_check CHECK (priority BETWEEN 1 AND 10),
    CONSTRAINT queue_items_attempts_check CHECK (attempts BETWEEN 0 AND max_attempts),
    CONSTRAINT queue_items_claim_check CHECK
        ((status = 'leased') = (claim_token IS NOT NULL) AND (claim_token IS NULL) = (lease_expires_at IS NULL)),
    CONSTRAINT queue_items_finished_check CHECK ((status IN ('done', 'dead')) = (finished_at IS NOT NULL))
);
CREATE INDEX queue_items_pending_idx ON queue_items (queue, key, priority DESC, id) WHERE status = 'pending';
CREATE INDEX queue_items_waiting_idx ON queue_items (queue, due_at) WHERE status = 'waiting';
-- For a clock that was set back.
CREATE INDEX queue_items_waiting_since_idx ON queue_items (updated_at) WHERE status = 'waiting';
CREATE INDEX queue_items_lease_idx ON queue_items (lease_expires_at) WHERE status = 'leased';
CREATE INDEX queue_items_leased_idx ON queue_items (queue, key) WHERE status = 'leased';
CREATE INDEX queue_items_dead_idx ON queue_items (queue, id) WHERE status = 'dead';
CREATE INDEX queue_items_finished_idx ON queue_items (status, finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX queue_items_dedupe_key ON queue_items (queue, dedupe)
    WHERE dedupe IS NOT NULL AND finished_at IS NULL;

-- The keys of a queue: `ready` ones have pending work that may be taken, in the order of their turns; `paused`
-- ones wait for their rate, `full` ones for a lease to end, `idle` ones have nothing pending.
CREATE TABLE queue_keys (
    queue      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    -- The highest priority among the pending items.
    priority   INTEGER NOT NULL,
    turn       INTEGER NOT NULL,
    -- When the next item would be due if items came exactly at the rate.
    rate_at    INTEGER NOT NULL,
    wake_at    INTEGER,
    updated_at INTEGER NOT NULL,
    CONSTRAINT queue_keys_pkey PRIMARY KEY (queue, key),
    CONSTRAINT queue_keys_state_check CHECK (state IN ('idle', 'ready', 'paused', 'full')),
    CONSTRAINT queue_keys_wake_check CHECK ((state = 'paused') = (wake_at IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX queue_keys_ready_idx ON queue_keys (queue, priority DESC, turn) WHERE state = 'ready';
CREATE INDEX queue_keys_turn_idx ON queue_keys (queue, priority, turn);
CREATE INDEX queue_keys_paused_idx ON queue_keys (queue, wake_at) WHERE state = 'paused';
CREATE INDEX queue_keys_idle_idx ON queue_keys (updated_at) WHERE state = 'idle';
