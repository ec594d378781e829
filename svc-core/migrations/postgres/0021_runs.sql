-- Runs of agents, and triggers that started none: these have the check that refused them as their status.
CREATE TABLE reactive_runs (
    id                  BIGINT  GENERATED ALWAYS AS IDENTITY,
    agent_id            BIGINT  NOT NULL,
    owner_id            BIGINT  NOT NULL,
    status              TEXT    NOT NULL,
    cause               TEXT    NOT NULL,
    -- The agent's own direct message; for a mention the copy.
    trigger_message_id  BIGINT,
    -- The message in a channel that shows the reactions of this run too.
    channel_message_id  BIGINT,
    -- Where the trigger was written; the next run there resumes the session.
    conversation_id     BIGINT,
    depth               BIGINT  NOT NULL,
    -- What its owner asked for.
    request             TEXT,
    retry_of            BIGINT,
    -- The item in the queue, which holds the lease.
    item_id             BIGINT,
    -- The beginning of the claim tokens of its messages.
    claim_token         TEXT,
    message_count       BIGINT  NOT NULL,
    -- The newest message when it began.
    after_message_id    BIGINT,
    outgoing_message_id BIGINT,
    error               TEXT,
    -- The result of a backend that delivers it later, until it is recorded.
    report              TEXT,
    cancel_requested_at BIGINT,
    created_at          BIGINT  NOT NULL,
    updated_at          BIGINT  NOT NULL,
    started_at          BIGINT,
    ended_at            BIGINT,
    CONSTRAINT reactive_runs_pkey PRIMARY KEY (id),
    CONSTRAINT reactive_runs_status_check CHECK
        (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'quarantined', 'paused', 'depth_exceeded',
                    'budget_exhausted', 'cooldown_skipped', 'coalesced')),
    CONSTRAINT reactive_runs_cause_check CHECK (cause IN ('message', 'waiting', 'request', 'retry')),
    CONSTRAINT reactive_runs_item_check CHECK (status NOT IN ('queued', 'running') OR item_id IS NOT NULL),
    CONSTRAINT reactive_runs_started_check CHECK (status NOT IN ('running', 'succeeded') OR started_at IS NOT NULL),
    CONSTRAINT reactive_runs_ended_check CHECK ((status IN ('queued', 'running')) = (ended_at IS NULL)),
    CONSTRAINT reactive_runs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id),
    CONSTRAINT reactive_runs_trigger_message_id_fkey
        FOREIGN KEY (trigger_message_id) REFERENCES messages (id) ON DELETE SET NULL,
    CONSTRAINT reactive_runs_outgoing_message_id_fkey
        FOREIGN KEY (outgoing_message_id) REFERENCES messages (id) ON DELETE SET NULL,
    CONSTRAINT reactive_runs_retry_of_fkey FOREIGN KEY (retry_of) REFERENCES reactive_runs (id) ON DELETE SET NULL
);
-- An agent has one run at a time.
CREATE UNIQUE INDEX reactive_runs_active_key ON reactive_runs (agent_id) WHERE status IN ('queued', 'running');
-- A message is evaluated once.
CREATE UNIQUE INDEX reactive_runs_trigger_key ON reactive_runs (trigger_message_id) WHERE cause = 'message';
CREATE INDEX reactive_runs_trigger_idx ON reactive_runs (trigger_message_id) WHERE trigger_message_id IS NOT NULL;
CREATE INDEX reactive_runs_outgoing_idx ON reactive_runs (outgoing_message_id) WHERE outgoing_message_id IS NOT NULL;
CREATE INDEX reactive_runs_retry_of_idx ON reactive_runs (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX reactive_runs_agent_idx ON reactive_runs (agent_id, id);
CREATE INDEX reactive_runs_agent_status_idx ON reactive_runs (agent_id, status, id);
CREATE INDEX reactive_runs_owner_idx ON reactive_runs (owner_id, id);
CREATE INDEX reactive_runs_owner_status_idx ON reactive_runs (owner_id, status, id);
CREATE INDEX reactive_runs_status_idx ON reactive_runs (status, id);
CREATE INDEX reactive_runs_ended_idx ON reactive_runs (agent_id, ended_at) WHERE started_at IS NOT NULL;
CREATE INDEX reactive_runs_conversation_idx ON reactive_runs (agent_id, conversation_id, id)
    WHERE started_at IS NOT NULL;
CREATE INDEX reactive_runs_item_idx ON reactive_runs (item_id) WHERE status IN ('queued', 'running');
CREATE INDEX reactive_runs_old_idx ON reactive_runs (ended_at) WHERE ended_at IS NOT NULL;

-- What went into a run and what came out. Money is in millionths of a dollar.
CREATE TABLE harness_runs (
    reactive_run_id    BIGINT  NOT NULL,
    backend            TEXT    NOT NULL,
    prompt             TEXT    NOT NULL,
    prompt_truncated   BOOLEAN NOT NULL,
    response           TEXT,
    response_truncated BOOLEAN NOT NULL,
    session_id         TEXT,
    tokens_in          BIGINT,
    tokens_out         BIGINT,
    tokens_cached      BIGINT,
    cost_micros        BIGINT,
    cost_imputed       BOOLEAN NOT NULL,
    exit_code          BIGINT,
    trace_id           TEXT,
    logs_excerpt       TEXT,
    error_log          TEXT,
    CONSTRAINT harness_runs_pkey PRIMARY KEY (reactive_run_id),
    CONSTRAINT harness_runs_reactive_run_id_fkey
        FOREIGN KEY (reactive_run_id) REFERENCES reactive_runs (id) ON DELETE CASCADE
);

-- Whole logs, kept for a shorter time than the runs.
CREATE TABLE run_logs (
    run_id     BIGINT  NOT NULL,
    text       TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    updated_at BIGINT  NOT NULL,
    CONSTRAINT run_logs_pkey PRIMARY KEY (run_id),
    CONSTRAINT run_logs_run_id_fkey FOREIGN KEY (run_id) REFERENCES reactive_runs (id) ON DELETE CASCADE
);
CREATE INDEX run_logs_created_at_idx ON run_logs (created_at);

-- The credential with which a run acts as its agent; the row goes with the end of the run.
CREATE TABLE run_credentials (
    run_id     BIGINT  NOT NULL,
    token_hash BYTEA   NOT NULL,
    created_at BIGINT  NOT NULL,
    CONSTRAINT run_credentials_pkey PRIMARY KEY (run_id),
    CONSTRAINT run_credentials_run_id_fkey FOREIGN KEY (run_id) REFERENCES reactive_runs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX run_credentials_token_hash_key ON run_credentials (token_hash);

-- The last event in the log when the agent became reactive. Earlier messages start no run by themselves.
ALTER TABLE agents ADD COLUMN reactive_after BIGINT NOT NULL DEFAULT 0;
UPDATE agents SET reactive_after = (SELECT coalesce(max(seq), 0) FROM events);
-- When work that waits for an agent is looked at again.
ALTER TABLE agents ADD COLUMN wake_at BIGINT;
CREATE INDEX agents_wake_at_idx ON agents (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX agents_reactive_idx ON agents (id) WHERE trigger_mode = 'reactive';

-- Messages by agents are one deeper than what caused them, so these are all of them.
CREATE INDEX messages_agent_sender_idx ON messages (sender_id, id) WHERE depth > 0;

-- What is sent of an event that goes with no message, such as the end of a run.
ALTER TABLE webhook_deliveries ADD COLUMN text TEXT;
