-- Handlers: the events of an agent that become Jobs of a Kubernetes cluster.
CREATE TABLE cluster_handlers (
    id              BIGINT GENERATED ALWAYS AS IDENTITY,
    agent_id        BIGINT NOT NULL,
    image           TEXT    NOT NULL,
    events          JSONB    NOT NULL,
    namespace       TEXT,
    env             JSONB    NOT NULL,
    memory          TEXT,
    cpu             TEXT,
    timeout_seconds BIGINT NOT NULL,
    service_account TEXT,
    -- The last event in the log when it was registered. Earlier ones make no Job.
    enabled_after   BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    CONSTRAINT cluster_handlers_pkey PRIMARY KEY (id),
    CONSTRAINT cluster_handlers_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE INDEX cluster_handlers_agent_idx ON cluster_handlers (agent_id, id);

-- The event that only some handlers have seen, and the last one of these.
CREATE TABLE cluster_reader (
    id         BIGINT NOT NULL,
    event_seq  BIGINT NOT NULL,
    handler_id BIGINT NOT NULL,
    CONSTRAINT cluster_reader_pkey PRIMARY KEY (id),
    CONSTRAINT cluster_reader_id_check CHECK (id = 1)
);
INSERT INTO cluster_reader (id, event_seq, handler_id) VALUES (1, 0, 0);

-- A run that handles an event has the cause `event`, whatever the column `cause` says. It is not one of the runs that
-- an agent has one after the other.
ALTER TABLE reactive_runs ADD COLUMN is_event BOOLEAN NOT NULL DEFAULT FALSE;
DROP INDEX reactive_runs_active_key;
CREATE UNIQUE INDEX reactive_runs_active_key ON reactive_runs (agent_id)
    WHERE status IN ('queued', 'running') AND NOT is_event;
CREATE INDEX reactive_runs_open_event_idx ON reactive_runs (agent_id, id)
    WHERE status IN ('queued', 'running') AND is_event;
CREATE INDEX reactive_runs_open_event_owner_idx ON reactive_runs (owner_id)
    WHERE status IN ('queued', 'running') AND is_event;
-- When an agent last ran by itself, for its cooldown.
DROP INDEX reactive_runs_ended_idx;
CREATE INDEX reactive_runs_ended_idx ON reactive_runs (agent_id, ended_at) WHERE started_at IS NOT NULL AND NOT is_event;

-- Runs that are Jobs of a cluster.
CREATE TABLE cluster_jobs (
    run_id     BIGINT NOT NULL,
    agent_id   BIGINT NOT NULL,
    owner_id   BIGINT NOT NULL,
    -- None for a run of a harness with the backend k8s, and after the handler was deleted.
    handler_id BIGINT,
    event      TEXT,
    event_seq  BIGINT,
    -- What the Job gets of the event.
    body       TEXT,
    is_retry   BOOLEAN NOT NULL,
    image      TEXT    NOT NULL,
    -- Where the Job is. Both are set before it is created.
    namespace  TEXT,
    name       TEXT,
    -- When the cluster had created it. From then on it is not created again.
    created_at BIGINT,
    CONSTRAINT cluster_jobs_pkey PRIMARY KEY (run_id),
    CONSTRAINT cluster_jobs_event_check CHECK ((event IS NULL) = (event_seq IS NULL) AND (event IS NULL) = (body IS NULL)),
    CONSTRAINT cluster_jobs_place_check CHECK ((namespace IS NULL) = (name IS NULL)),
    CONSTRAINT cluster_jobs_run_id_fkey FOREIGN KEY (run_id) REFERENCES reactive_runs (id) ON DELETE CASCADE,
    CONSTRAINT cluster_jobs_handler_id_fkey
        FOREIGN KEY (handler_id) REFERENCES cluster_handlers (id) ON DELETE SET NULL
);
-- An event makes one Job of a handler.
CREATE UNIQUE INDEX cluster_jobs_event_key ON cluster_jobs (handler_id, event_seq)
    WHERE handler_id IS NOT NULL AND NOT is_retry;
CREATE INDEX cluster_jobs_handler_idx ON cluster_jobs (handler_id, run_id) WHERE handler_id IS NOT NULL;
CREATE INDEX cluster_jobs_agent_idx ON cluster_jobs (agent_id, run_id);
CREATE INDEX cluster_jobs_owner_idx ON cluster_jobs (owner_id, run_id);
