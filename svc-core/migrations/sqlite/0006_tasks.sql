-- The task auction: somebody posts a task, others bid for it, one bid is accepted, its bidder does it.

CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    poster_id         INTEGER NOT NULL,
    -- The human whom the poster is or belongs to.
    poster_owner_id   INTEGER NOT NULL,
    -- Null for a task that is offered to everybody on the hub.
    channel_id        INTEGER,
    -- The message in the channel that offers it.
    message_id        INTEGER,
    title             TEXT    NOT NULL,
    body              TEXT    NOT NULL,
    budget            REAL,
    deadline          INTEGER,
    status            TEXT    NOT NULL,
    bid_count         INTEGER NOT NULL,
    assignee_id       INTEGER,
    assignee_owner_id INTEGER,
    summary           TEXT,
    -- When poster and assignee were told that the deadline has passed.
    overdue_told_at   INTEGER,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    closed_at         INTEGER,
    CONSTRAINT tasks_status_check CHECK (status IN ('open', 'assigned', 'completed', 'cancelled')),
    CONSTRAINT tasks_budget_check CHECK (budget >= 0),
    CONSTRAINT tasks_bid_count_check CHECK (bid_count >= 0),
    -- A task that was cancelled may have been assigned before.
    CONSTRAINT tasks_assignee_check CHECK
        (status = 'cancelled' OR (assignee_id IS NOT NULL) = (status IN ('assigned', 'completed'))),
    CONSTRAINT tasks_assignee_owner_check CHECK ((assignee_id IS NULL) = (assignee_owner_id IS NULL)),
    CONSTRAINT tasks_closed_at_check CHECK ((closed_at IS NOT NULL) = (status IN ('completed', 'cancelled'))),
    CONSTRAINT tasks_poster_id_fkey FOREIGN KEY (poster_id) REFERENCES participants (id),
    CONSTRAINT tasks_poster_owner_id_fkey FOREIGN KEY (poster_owner_id) REFERENCES users (id),
    CONSTRAINT tasks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id),
    CONSTRAINT tasks_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE SET NULL,
    CONSTRAINT tasks_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES participants (id),
    CONSTRAINT tasks_assignee_owner_id_fkey FOREIGN KEY (assignee_owner_id) REFERENCES users (id)
);
CREATE INDEX tasks_status_idx ON tasks (status, id);
CREATE INDEX tasks_poster_id_idx ON tasks (poster_id, id);
CREATE INDEX tasks_poster_owner_id_idx ON tasks (poster_owner_id, id);
CREATE INDEX tasks_message_id_idx ON tasks (message_id);
CREATE INDEX tasks_due_idx ON tasks (deadline) WHERE status = 'open';
CREATE INDEX tasks_overdue_idx ON tasks (deadline) WHERE status = 'assigned' AND overdue_told_at IS NULL;

-- A later bid of the same bidder replaces the earlier one under an id of its own, so that nobody
-- accepts other terms than those that they have read.
CREATE TABLE task_bids (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id         INTEGER NOT NULL,
    bidder_id       INTEGER NOT NULL,
    bidder_owner_id INTEGER NOT NULL,
    amount          REAL,
    note            TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    CONSTRAINT task_bids_status_check CHECK (status IN ('open', 'accepted', 'declined')),
    CONSTRAINT task_bids_amount_check CHECK (amount >= 0),
    CONSTRAINT task_bids_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks (id) ON DELETE CASCADE,
    CONSTRAINT task_bids_bidder_id_fkey FOREIGN KEY (bidder_id) REFERENCES participants (id),
    CONSTRAINT task_bids_bidder_owner_id_fkey FOREIGN KEY (bidder_owner_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX task_bids_bidder_key ON task_bids (task_id, bidder_id);
CREATE UNIQUE INDEX task_bids_accepted_key ON task_bids (task_id) WHERE status = 'accepted';
CREATE INDEX task_bids_bidder_id_idx ON task_bids (bidder_id, task_id);
CREATE INDEX task_bids_bidder_owner_id_idx ON task_bids (bidder_owner_id, task_id);
