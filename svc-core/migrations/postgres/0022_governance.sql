-- Why an agent is paused, and the limits of what its runs may cost: money is in microdollars.
ALTER TABLE agents ADD COLUMN paused_reason TEXT
    CONSTRAINT agents_paused_reason_check CHECK (paused_reason IN ('manual', 'budget'));
ALTER TABLE agents ADD COLUMN budget JSONB;
UPDATE agents SET paused_reason = 'manual' WHERE paused_at IS NOT NULL;
-- The worker that looks whether a budget has room again reads these.
CREATE INDEX agents_out_of_budget_idx ON agents (id) WHERE paused_reason = 'budget';
CREATE INDEX agents_quarantined_idx ON agents (id) WHERE quarantined_at IS NOT NULL;

-- The standing of an agent: the sums of its entries, each weighted by its age at `weighed_at`.
CREATE TABLE reputations (
    agent_id   BIGINT NOT NULL,
    -- Entries before this time no longer count: the quarantine was lifted then. 0 when it never was.
    since      BIGINT NOT NULL,
    weight     DOUBLE PRECISION NOT NULL,
    total      DOUBLE PRECISION NOT NULL,
    weighed_at BIGINT NOT NULL,
    CONSTRAINT reputations_pkey PRIMARY KEY (agent_id),
    CONSTRAINT reputations_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);

-- What the standing follows from. `weight` and `total` are the sums after this entry, for the series by day.
CREATE TABLE reputation_entries (
    id         BIGINT GENERATED ALWAYS AS IDENTITY,
    agent_id   BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    value      BIGINT NOT NULL,
    run_id     BIGINT,
    message_id BIGINT,
    by_id      BIGINT,
    weight     DOUBLE PRECISION NOT NULL,
    total      DOUBLE PRECISION NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT reputation_entries_pkey PRIMARY KEY (id),
    CONSTRAINT reputation_entries_kind_check CHECK (kind IN ('run', 'task', 'judgement')),
    CONSTRAINT reputation_entries_value_check CHECK (value IN (0, 1)),
    CONSTRAINT reputation_entries_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id),
    CONSTRAINT reputation_entries_by_id_fkey FOREIGN KEY (by_id) REFERENCES participants (id),
    CONSTRAINT reputation_entries_message_id_fkey
        FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE SET NULL
);
CREATE INDEX reputation_entries_agent_idx ON reputation_entries (agent_id, id);
CREATE INDEX reputation_entries_day_idx ON reputation_entries (agent_id, created_at);
CREATE INDEX reputation_entries_created_at_idx ON reputation_entries (created_at);
-- A run counts once, and a human judges a message once.
CREATE UNIQUE INDEX reputation_entries_run_key ON reputation_entries (run_id) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX reputation_entries_judgement_key ON reputation_entries (message_id, by_id)
    WHERE message_id IS NOT NULL;

-- What the runs of an agent cost in a day, in a month and in all. The reserved part belongs to runs that have not
-- ended. Whoever changes it holds the row of the agent.
CREATE TABLE budget_periods (
    agent_id        BIGINT NOT NULL,
    period          TEXT NOT NULL,
    starts_at       BIGINT NOT NULL,
    spent_usd       BIGINT NOT NULL,
    spent_tokens    BIGINT NOT NULL,
    spent_runs      BIGINT NOT NULL,
    reserved_usd    BIGINT NOT NULL,
    reserved_tokens BIGINT NOT NULL,
    reserved_runs   BIGINT NOT NULL,
    -- How often the owner resumed the agent although its budget was used up.
    extensions      BIGINT NOT NULL,
    warned_at       BIGINT,
    CONSTRAINT budget_periods_pkey PRIMARY KEY (agent_id, period, starts_at),
    CONSTRAINT budget_periods_period_check CHECK (period IN ('day', 'month', 'total')),
    CONSTRAINT budget_periods_spent_check CHECK (spent_usd >= 0 AND spent_tokens >= 0 AND spent_runs >= 0),
    CONSTRAINT budget_periods_reserved_check
        CHECK (reserved_usd >= 0 AND reserved_tokens >= 0 AND reserved_runs >= 0),
    CONSTRAINT budget_periods_extensions_check CHECK (extensions >= 0),
    CONSTRAINT budget_periods_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE INDEX budget_periods_starts_at_idx ON budget_periods (period, starts_at);

-- What a run costs: while it is reserved the estimate, and what it really was once it is settled.
CREATE TABLE run_charges (
    run_id      BIGINT NOT NULL,
    agent_id    BIGINT NOT NULL,
    owner_id    BIGINT NOT NULL,
    status      TEXT NOT NULL,
    usd         BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    -- The beginning of the day of its reservation.
    day         BIGINT NOT NULL,
    reserved_at BIGINT NOT NULL,
    ended_at    BIGINT,
    CONSTRAINT run_charges_pkey PRIMARY KEY (run_id),
    CONSTRAINT run_charges_status_check CHECK (status IN ('reserved', 'settled', 'released')),
    CONSTRAINT run_charges_ended_check CHECK ((status = 'reserved') = (ended_at IS NULL)),
    CONSTRAINT run_charges_cost_check CHECK (usd >= 0 AND tokens >= 0),
    CONSTRAINT run_charges_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE INDEX run_charges_settled_idx ON run_charges (agent_id, ended_at) WHERE status = 'settled';
CREATE INDEX run_charges_owner_idx ON run_charges (owner_id, day);
CREATE INDEX run_charges_ended_at_idx ON run_charges (ended_at) WHERE ended_at IS NOT NULL;

-- Loops between agents. While one is held, messages between the two start no runs and go to no webhooks.
CREATE TABLE loops (
    id              BIGINT GENERATED ALWAYS AS IDENTITY,
    kind            TEXT NOT NULL,
    -- The smaller id of the two first. Without another agent, nobody in the conversation is told of its messages.
    agent_id        BIGINT NOT NULL,
    other_id        BIGINT,
    conversation_id BIGINT NOT NULL,
    count           BIGINT NOT NULL,
    held_at         BIGINT NOT NULL,
    until           BIGINT NOT NULL,
    lifted_at       BIGINT,
    lifted_by       BIGINT,
    CONSTRAINT loops_pkey PRIMARY KEY (id),
    CONSTRAINT loops_kind_check CHECK (kind IN ('exchange', 'repetition', 'flood')),
    CONSTRAINT loops_pair_check CHECK (other_id IS NULL OR agent_id < other_id),
    CONSTRAINT loops_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id),
    CONSTRAINT loops_other_id_fkey FOREIGN KEY (other_id) REFERENCES agents (id),
    CONSTRAINT loops_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id),
    CONSTRAINT loops_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES participants (id)
);
CREATE UNIQUE INDEX loops_pair_key ON loops (agent_id, other_id) WHERE lifted_at IS NULL AND other_id IS NOT NULL;
CREATE UNIQUE INDEX loops_flood_key ON loops (agent_id, conversation_id) WHERE lifted_at IS NULL AND other_id IS NULL;
CREATE INDEX loops_held_idx ON loops (agent_id) WHERE lifted_at IS NULL;
CREATE INDEX loops_agent_idx ON loops (agent_id, id);
CREATE INDEX loops_other_idx ON loops (other_id, id) WHERE other_id IS NOT NULL;
CREATE INDEX loops_until_idx ON loops (until) WHERE lifted_at IS NULL;
CREATE INDEX loops_lifted_at_idx ON loops (lifted_at) WHERE lifted_at IS NOT NULL;
