-- Work that waits, is taken under a lease, and ends as done or dead. `waiting` is work that is not due yet;
-- a claim moves what has come due to `pending`, so that it never reads past work that it may not take.
CREATE TABLE queue_items (
    id               BIGINT  GENERATED ALWAYS AS IDENTITY,
    queue            TEXT    NOT NULL,
    -- Work of one key shares a turn, a rate and a number of leases.
    key              TEXT    NOT NULL,
    priority         BIGINT  NOT NULL,
    status           TEXT    NOT NULL,
    attempts         BIGINT  NOT NULL,
    max_attempts     BIGINT  NOT NULL,
    -- At most one unfinished item of a queue has a given value.
    dedupe           TEXT,
    payload          JSONB   NOT NULL,
    due_at           BIGINT  NOT NULL,
    claim_token      TEXT,
    last_claim       TEXT,
    claimed_at       BIGINT,
    lease_expires_at BIGINT,
    failure          TEXT,
    created_at       BIGINT  NOT NULL,
    updated_at       BIGINT  NOT NULL,
    finished_at      BIGINT,
    CONSTRAINT queue_items_pkey PRIMARY KEY (id),
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
    priority   BIGINT  NOT NULL,
    turn       BIGINT  NOT NULL,
    -- When the next item would be due if items came exactly at the rate.
    rate_at    BIGINT  NOT NULL,
    wake_at    BIGINT,
    updated_at BIGINT  NOT NULL,
    CONSTRAINT queue_keys_pkey PRIMARY KEY (queue, key),
    CONSTRAINT queue_keys_state_check CHECK (state IN ('idle', 'ready', 'paused', 'full')),
    CONSTRAINT queue_keys_wake_check CHECK ((state = 'paused') = (wake_at IS NOT NULL))
);
CREATE INDEX queue_keys_ready_idx ON queue_keys (queue, priority DESC, turn) WHERE state = 'ready';
CREATE INDEX queue_keys_turn_idx ON queue_keys (queue, priority, turn);
CREATE INDEX queue_keys_paused_idx ON queue_keys (queue, wake_at) WHERE state = 'paused';
CREATE INDEX queue_keys_idle_idx ON queue_keys (updated_at) WHERE state = 'idle';
