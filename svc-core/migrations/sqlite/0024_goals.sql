-- Goals: outcomes that owners want. Money is in microdollars. Everything that changes a goal, a task, a claim or a
-- proposal holds the row of the goal.
CREATE TABLE goals (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    slug                  TEXT    NOT NULL,
    title                 TEXT    NOT NULL,
    description           TEXT    NOT NULL,
    status                TEXT    NOT NULL,
    stuck_reason          TEXT,
    owner_id              INTEGER NOT NULL,
    coordinator_id        INTEGER,
    channel_id            INTEGER,
    autonomy              TEXT    NOT NULL,
    budget_usd            INTEGER,
    budget_tokens         INTEGER,
    spent_usd             INTEGER NOT NULL,
    spent_tokens          INTEGER NOT NULL,
    -- When the owner was warned that much of the budget is used.
    warned_at             INTEGER,
    max_spawn_depth       INTEGER NOT NULL,
    completion_summary    TEXT,
    completion_message_id INTEGER,
    -- The id, and more for a stuck goal, so that lists begin with those.
    list_key              INTEGER NOT NULL,
    created_at            INTEGER NOT NULL,
    updated_at            INTEGER NOT NULL,
    completed_at          INTEGER,
    CONSTRAINT goals_status_check CHECK (status IN ('draft', 'active', 'completed', 'stuck', 'cancelled')),
    CONSTRAINT goals_stuck_reason_check CHECK (stuck_reason IS NULL OR status = 'stuck'),
    CONSTRAINT goals_autonomy_check CHECK (autonomy IN ('supervised', 'autonomous')),
    CONSTRAINT goals_budget_check CHECK (budget_usd >= 0 AND budget_tokens >= 0),
    CONSTRAINT goals_spent_check CHECK (spent_usd >= 0 AND spent_tokens >= 0),
    CONSTRAINT goals_completed_at_check CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'cancelled'))),
    CONSTRAINT goals_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT goals_coordinator_id_fkey FOREIGN KEY (coordinator_id) REFERENCES agents (id),
    CONSTRAINT goals_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id) ON DELETE SET NULL,
    CONSTRAINT goals_completion_message_id_fkey
        FOREIGN KEY (completion_message_id) REFERENCES messages (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX goals_slug_key ON goals (slug);
CREATE INDEX goals_list_idx ON goals (list_key);
CREATE INDEX goals_status_idx ON goals (status, list_key);
CREATE INDEX goals_owner_idx ON goals (owner_id, list_key);
CREATE INDEX goals_owner_status_idx ON goals (owner_id, status, list_key);
CREATE INDEX goals_coordinator_idx ON goals (coordinator_id) WHERE coordinator_id IS NOT NULL;
CREATE INDEX goals_channel_idx ON goals (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX goals_completion_message_idx ON goals (completion_message_id) WHERE completion_message_id IS NOT NULL;

-- The tasks of a goal. The auction has the table `tasks`.
CREATE TABLE goal_tasks (
    id                  INTEGER PRIMARY KEY AUTOINCREMENT,
    goal_id             INTEGER NOT NULL,
    owner_id            INTEGER NOT NULL,
    parent_id           INTEGER,
    -- Among all tasks of the goal; a parent comes before its children.
    position            INTEGER NOT NULL,
    title               TEXT    NOT NULL,
    title_key           TEXT    NOT NULL,
    description         TEXT    NOT NULL,
    acceptance_criteria TEXT    NOT NULL,
    assignee_id         INTEGER,
    billing_code        TEXT,
    budget_usd          INTEGER,
    budget_tokens       INTEGER,
    spent_usd           INTEGER NOT NULL,
    spent_tokens        INTEGER NOT NULL,
    verifier            TEXT    NOT NULL,
    verifier_id         INTEGER,
    verifier_run_id     INTEGER,
    status              TEXT    NOT NULL,
    -- The agent that has it, or that has submitted it.
    claimant_id         INTEGER,
    result              TEXT,
    note                TEXT,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    CONSTRAINT goal_tasks_status_check CHECK (status IN
        ('proposed', 'approved', 'claimed', 'in_progress', 'awaiting_verification', 'done', 'failed', 'cancelled')),
    CONSTRAINT goal_tasks_verifier_check CHECK (verifier IN ('none', 'peer', 'human', 'command')),
    CONSTRAINT goal_tasks_budget_check CHECK (budget_usd >= 0 AND budget_tokens >= 0),
    CONSTRAINT goal_tasks_spent_check CHECK (spent_usd >= 0 AND spent_tokens >= 0),
    CONSTRAINT goal_tasks_claimant_check
        CHECK (claimant_id IS NOT NULL OR status NOT IN ('claimed', 'in_progress', 'awaiting_verification')),
    CONSTRAINT goal_tasks_goal_id_fkey FOREIGN KEY (goal_id) REFERENCES goals (id) ON DELETE CASCADE,
    CONSTRAINT goal_tasks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT goal_tasks_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES goal_tasks (id) ON DELETE CASCADE,
    CONSTRAINT goal_tasks_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES agents (id),
    CONSTRAINT goal_tasks_verifier_id_fkey FOREIGN KEY (verifier_id) REFERENCES agents (id),
    CONSTRAINT goal_tasks_claimant_id_fkey FOREIGN KEY (claimant_id) REFERENCES agents (id)
);
CREATE UNIQUE INDEX goal_tasks_title_key ON goal_tasks (goal_id, title_key) WHERE status <> 'cancelled';
CREATE INDEX goal_tasks_goal_idx ON goal_tasks (goal_id, position);
CREATE INDEX goal_tasks_parent_idx ON goal_tasks (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX goal_tasks_waiting_idx ON goal_tasks (owner_id, status, id)
    WHERE status IN ('proposed', 'awaiting_verification');
CREATE INDEX goal_tasks_command_idx ON goal_tasks (id)
    WHERE status = 'awaiting_verification' AND verifier = 'command' AND verifier_run_id IS NULL;
CREATE INDEX goal_tasks_verifier_run_idx ON goal_tasks (verifier_run_id) WHERE verifier_run_id IS NOT NULL;
CREATE INDEX goal_tasks_assignee_idx ON goal_tasks (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX goal_tasks_verifier_idx ON goal_tasks (verifier_id) WHERE verifier_id IS NOT NULL;
CREATE INDEX goal_tasks_claimant_idx ON goal_tasks (claimant_id) WHERE claimant_id IS NOT NULL;

-- A task can be claimed when the tasks that it depends on are done or cancelled.
CREATE TABLE goal_task_dependencies (
    task_id INTEGER NOT NULL,
    on_id   INTEGER NOT NULL,
    CONSTRAINT goal_task_dependencies_pkey PRIMARY KEY (task_id, on_id),
    CONSTRAINT goal_task_dependencies_task_id_fkey FOREIGN KEY (task_id) REFERENCES goal_tasks (id) ON DELETE CASCADE,
    CONSTRAINT goal_task_dependencies_on_id_fkey FOREIGN KEY (on_id) REFERENCES goal_tasks (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX goal_task_dependencies_on_idx ON goal_task_dependencies (on_id);

-- Claims of tasks. A task has one that has not ended.
CREATE TABLE goal_claims (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id       INTEGER NOT NULL,
    agent_id      INTEGER NOT NULL,
    token         TEXT    NOT NULL,
    lease_seconds INTEGER NOT NULL,
    -- When the lease was last renewed.
    leased_at     INTEGER NOT NULL,
    lease_until   INTEGER NOT NULL,
    claimed_at    INTEGER NOT NULL,
    ended_at      INTEGER,
    CONSTRAINT goal_claims_task_id_fkey FOREIGN KEY (task_id) REFERENCES goal_tasks (id) ON DELETE CASCADE,
    CONSTRAINT goal_claims_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE UNIQUE INDEX goal_claims_active_key ON goal_claims (task_id) WHERE ended_at IS NULL;
CREATE INDEX goal_claims_task_idx ON goal_claims (task_id, id);
CREATE INDEX goal_claims_lease_idx ON goal_claims (lease_until) WHERE ended_at IS NULL;
CREATE INDEX goal_claims_agent_idx ON goal_claims (agent_id, claimed_at);

-- The task that a run is charged to.
CREATE TABLE goal_task_runs (
    run_id  INTEGER NOT NULL,
    task_id INTEGER NOT NULL,
    CONSTRAINT goal_task_runs_pkey PRIMARY KEY (run_id),
    CONSTRAINT goal_task_runs_task_id_fkey FOREIGN KEY (task_id) REFERENCES goal_tasks (id) ON DELETE CASCADE
);
CREATE INDEX goal_task_runs_task_idx ON goal_task_runs (task_id);

-- Every cost of a goal.
CREATE TABLE goal_spend (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    goal_id    INTEGER NOT NULL,
    task_id    INTEGER,
    agent_id   INTEGER,
    run_id     INTEGER,
    usd        INTEGER NOT NULL,
    tokens     INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    CONSTRAINT goal_spend_amount_check CHECK (usd >= 0 AND tokens >= 0),
    CONSTRAINT goal_spend_goal_id_fkey FOREIGN KEY (goal_id) REFERENCES goals (id) ON DELETE CASCADE,
    CONSTRAINT goal_spend_task_id_fkey FOREIGN KEY (task_id) REFERENCES goal_tasks (id) ON DELETE SET NULL,
    CONSTRAINT goal_spend_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
-- A run is charged once.
CREATE UNIQUE INDEX goal_spend_run_key ON goal_spend (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX goal_spend_goal_idx ON goal_spend (goal_id, created_at);
CREATE INDEX goal_spend_task_idx ON goal_spend (task_id) WHERE task_id IS NOT NULL;

-- What happened in a goal.
CREATE TABLE goal_timeline (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    goal_id     INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    by_id       INTEGER,
    task_id     INTEGER,
    subject     TEXT,
    from_status TEXT,
    to_status   TEXT,
    usd         INTEGER,
    tokens      INTEGER,
    run_id      INTEGER,
    text        TEXT,
    created_at  INTEGER NOT NULL,
    CONSTRAINT goal_timeline_kind_check CHECK (kind IN ('goal', 'tree', 'task', 'spend', 'proposal', 'alert')),
    CONSTRAINT goal_timeline_goal_id_fkey FOREIGN KEY (goal_id) REFERENCES goals (id) ON DELETE CASCADE,
    CONSTRAINT goal_timeline_by_id_fkey FOREIGN KEY (by_id) REFERENCES participants (id)
);
CREATE INDEX goal_timeline_goal_idx ON goal_timeline (goal_id, id);

-- Agents that agents propose. One exists only after a human approved it.
CREATE TABLE goal_proposals (
    goal_id      INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    owner_id     INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    purpose      TEXT    NOT NULL,
    instructions TEXT    NOT NULL,
    tools        TEXT,
    budget_usd   INTEGER,
    autonomy     TEXT    NOT NULL,
    proposer_id  INTEGER NOT NULL,
    depth        INTEGER NOT NULL,
    status       TEXT    NOT NULL,
    reason       TEXT,
    decided_by   INTEGER,
    agent_id     INTEGER,
    created_at   INTEGER NOT NULL,
    decided_at   INTEGER,
    CONSTRAINT goal_proposals_pkey PRIMARY KEY (goal_id, number),
    CONSTRAINT goal_proposals_autonomy_check CHECK (autonomy IN ('supervised', 'autonomous')),
    CONSTRAINT goal_proposals_status_check CHECK (status IN ('proposed', 'approved', 'rejected')),
    CONSTRAINT goal_proposals_agent_check CHECK ((agent_id IS NOT NULL) = (status = 'approved')),
    CONSTRAINT goal_proposals_decided_check CHECK ((decided_at IS NULL) = (status = 'proposed')),
    CONSTRAINT goal_proposals_goal_id_fkey FOREIGN KEY (goal_id) REFERENCES goals (id) ON DELETE CASCADE,
    CONSTRAINT goal_proposals_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT goal_proposals_proposer_id_fkey FOREIGN KEY (proposer_id) REFERENCES agents (id),
    CONSTRAINT goal_proposals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES participants (id),
    CONSTRAINT goal_proposals_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX goal_proposals_agent_key ON goal_proposals (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX goal_proposals_waiting_idx ON goal_proposals (owner_id, created_at) WHERE status = 'proposed';
CREATE INDEX goal_proposals_proposer_idx ON goal_proposals (proposer_id);

-- The MCP tools that an agent may call; all without a list.
ALTER TABLE agents ADD COLUMN tools TEXT;

-- Secrets that agents ask their owners for.
CREATE TABLE secret_requests (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id   INTEGER NOT NULL,
    owner_id   INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    goal_id    INTEGER,
    status     TEXT    NOT NULL,
    rejection  TEXT,
    created_at INTEGER NOT NULL,
    decided_at INTEGER,
    CONSTRAINT secret_requests_status_check CHECK (status IN ('requested', 'provided', 'rejected')),
    CONSTRAINT secret_requests_decided_check CHECK ((decided_at IS NULL) = (status = 'requested')),
    CONSTRAINT secret_requests_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id),
    CONSTRAINT secret_requests_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT secret_requests_goal_id_fkey FOREIGN KEY (goal_id) REFERENCES goals (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX secret_requests_open_key ON secret_requests (agent_id, name) WHERE status = 'requested';
CREATE INDEX secret_requests_owner_idx ON secret_requests (owner_id, id);
CREATE INDEX secret_requests_owner_status_idx ON secret_requests (owner_id, status, id);
CREATE INDEX secret_requests_agent_idx ON secret_requests (agent_id, id);
CREATE INDEX secret_requests_goal_idx ON secret_requests (goal_id) WHERE goal_id IS NOT NULL;
