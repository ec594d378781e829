-- Endpoints that receive the events of an agent. The secrets are sealed by the vault.
CREATE TABLE webhooks (
    id                   BIGINT  GENERATED ALWAYS AS IDENTITY,
    agent_id             BIGINT  NOT NULL,
    url                  TEXT    NOT NULL,
    -- A list of names.
    events               JSONB   NOT NULL,
    enabled              BOOLEAN NOT NULL,
    disabled_reason      TEXT,
    -- The last event in the log when it was enabled. Events up to it are delivered on request only.
    enabled_after        BIGINT  NOT NULL,
    -- It was disabled or deleted, and the sweep has not ended all its deliveries yet.
    is_ending            BOOLEAN NOT NULL,
    consecutive_failures BIGINT  NOT NULL,
    last_success_at      BIGINT,
    last_failure_at      BIGINT,
    secret               BYTEA   NOT NULL,
    -- Tests since the beginning of the current minute of tests.
    tests                BIGINT  NOT NULL,
    tests_since          BIGINT  NOT NULL,
    -- A request to recover past events is under way until then.
    recovering_until     BIGINT  NOT NULL,
    created_at           BIGINT  NOT NULL,
    updated_at           BIGINT  NOT NULL,
    -- A deleted one is invisible; the sweep removes its rows in batches.
    deleted_at           BIGINT,
    CONSTRAINT webhooks_pkey PRIMARY KEY (id),
    CONSTRAINT webhooks_deleted_check CHECK (deleted_at IS NULL OR NOT enabled),
    CONSTRAINT webhooks_ending_check CHECK (NOT (enabled AND is_ending)),
    CONSTRAINT webhooks_enabled_check CHECK (enabled = (disabled_reason IS NULL)),
    CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('request', 'gone', 'failures')),
    CONSTRAINT webhooks_failures_check CHECK (consecutive_failures >= 0),
    CONSTRAINT webhooks_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE UNIQUE INDEX webhooks_agent_url_key ON webhooks (agent_id, url) WHERE deleted_at IS NULL;
CREATE INDEX webhooks_enabled_idx ON webhooks (enabled_after) WHERE enabled;
CREATE INDEX webhooks_ending_idx ON webhooks (id) WHERE is_ending;

-- Secrets from before rotations that still sign, until a time.
CREATE TABLE webhook_old_secrets (
    id          BIGINT  GENERATED ALWAYS AS IDENTITY,
    webhook_id  BIGINT  NOT NULL,
    secret      BYTEA   NOT NULL,
    valid_until BIGINT  NOT NULL,
    CONSTRAINT webhook_old_secrets_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_old_secrets_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
);
CREATE INDEX webhook_old_secrets_webhook_id_idx ON webhook_old_secrets (webhook_id, id);

-- The event that the reader of the log has told only some webhooks of, and the last one of these.
CREATE TABLE webhook_reader (
    id         BIGINT NOT NULL,
    event_seq  BIGINT NOT NULL,
    webhook_id BIGINT NOT NULL,
    CONSTRAINT webhook_reader_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_reader_single_check CHECK (id = 1)
);
INSERT INTO webhook_reader (id, event_seq, webhook_id) VALUES (1, 0, 0);

-- What an agent is told of an event: one text for all its webhooks and all attempts. It goes with its message.
CREATE TABLE webhook_bodies (
    id         BIGINT  GENERATED ALWAYS AS IDENTITY,
    event_seq  BIGINT  NOT NULL,
    agent_id   BIGINT  NOT NULL,
    message_id BIGINT  NOT NULL,
    text       TEXT    NOT NULL,
    CONSTRAINT webhook_bodies_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_bodies_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_bodies_event_key ON webhook_bodies (event_seq, agent_id);
CREATE INDEX webhook_bodies_message_id_idx ON webhook_bodies (message_id);

-- An event on its way to a webhook. `open` ones have an item in the queue, which holds lease and schedule.
CREATE TABLE webhook_deliveries (
    id              BIGINT  GENERATED ALWAYS AS IDENTITY,
    webhook_id      BIGINT  NOT NULL,
    -- Its event in the log; null for a test.
    event_seq       BIGINT,
    event           TEXT    NOT NULL,
    -- The message that its agent must be able to see at every attempt.
    message_id      BIGINT,
    -- Null when it is not sent: stopped before the first attempt, or hidden from its agent.
    body_id         BIGINT,
    depth           BIGINT  NOT NULL,
    traceparent     TEXT,
    status          TEXT    NOT NULL,
    item_id         BIGINT,
    attempts        BIGINT  NOT NULL,
    error           TEXT,
    response_status BIGINT,
    created_at      BIGINT  NOT NULL,
    updated_at      BIGINT  NOT NULL,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('open', 'delivered', 'dead', 'stopped')),
    CONSTRAINT webhook_deliveries_item_check CHECK (status <> 'open' OR item_id IS NOT NULL),
    CONSTRAINT webhook_deliveries_attempts_check CHECK (attempts >= 0),
    CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_body_id_fkey FOREIGN KEY (body_id) REFERENCES webhook_bodies (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX webhook_deliveries_event_key ON webhook_deliveries (webhook_id, event_seq);
CREATE INDEX webhook_deliveries_status_idx ON webhook_deliveries (webhook_id, status, id);
CREATE INDEX webhook_deliveries_webhook_idx ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_updated_at_idx ON webhook_deliveries (status, updated_at);
CREATE INDEX webhook_deliveries_item_idx ON webhook_deliveries (item_id) WHERE status = 'open';
CREATE INDEX webhook_deliveries_body_id_idx ON webhook_deliveries (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX webhook_deliveries_open_idx ON webhook_deliveries (created_at) WHERE status = 'open';

CREATE TABLE webhook_attempts (
    id          BIGINT  GENERATED ALWAYS AS IDENTITY,
    delivery_id BIGINT  NOT NULL,
    webhook_id  BIGINT  NOT NULL,
    number      BIGINT  NOT NULL,
    started_at  BIGINT  NOT NULL,
    -- Where it was sent; the webhook may have another URL since.
    url         TEXT    NOT NULL,
    duration_ms BIGINT  NOT NULL,
    status      BIGINT,
    error       TEXT,
    excerpt     TEXT,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_attempts_number_check CHECK (number > 0),
    CONSTRAINT webhook_attempts_delivery_id_fkey
        FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_attempts_number_key ON webhook_attempts (delivery_id, number);
CREATE INDEX webhook_attempts_webhook_idx ON webhook_attempts (webhook_id, id);

ALTER TABLE dead_letters ADD COLUMN delivery_id BIGINT
    CONSTRAINT dead_letters_delivery_id_fkey REFERENCES webhook_deliveries (id) ON DELETE CASCADE;
CREATE INDEX dead_letters_delivery_id_idx ON dead_letters (delivery_id) WHERE delivery_id IS NOT NULL;

-- The depth of an agent's next message depends on what it has claimed.
CREATE INDEX messages_claimed_by_idx ON messages (claimed_by, depth) WHERE status = 'processing';
