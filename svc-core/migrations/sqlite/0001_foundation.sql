-- What everything else stands on: the event log, cursors into it, leases, idempotency keys,
-- traces, and the row that readiness writes.

CREATE TABLE events (
    -- AUTOINCREMENT: a number is never given twice, not even after the newest events were swept.
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    kind       TEXT    NOT NULL,
    payload    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    CONSTRAINT events_kind_check CHECK (length(kind) BETWEEN 1 AND 64)
);

-- How far the log has been swept: a reader that asks for something older has to start over.
CREATE TABLE event_log (
    id            INTEGER NOT NULL,
    swept_through INTEGER NOT NULL,
    CONSTRAINT event_log_pkey PRIMARY KEY (id),
    CONSTRAINT event_log_single_check CHECK (id = 1)
);
INSERT INTO event_log (id, swept_through) VALUES (1, 0);

CREATE TABLE event_cursors (
    name       TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT event_cursors_pkey PRIMARY KEY (name)
) WITHOUT ROWID;

CREATE TABLE leases (
    name       TEXT    NOT NULL,
    holder     TEXT    NOT NULL,
    -- Grows with every change of holder, so that a late holder can be told from the present one.
    term       INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CONSTRAINT leases_pkey PRIMARY KEY (name)
) WITHOUT ROWID;

CREATE TABLE idempotency_keys (
    scope       TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL,
    answer      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

CREATE TABLE traces (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id    INTEGER,
    agent       TEXT,
    action      TEXT    NOT NULL,
    surface     TEXT    NOT NULL,
    request_id  TEXT,
    duration_ms INTEGER NOT NULL,
    details     TEXT    NOT NULL,
    error       TEXT,
    created_at  INTEGER NOT NULL,
    CONSTRAINT traces_surface_check CHECK (surface IN ('hub', 'rest', 'mcp', 'admin', 'worker', 'server'))
);
CREATE INDEX traces_created_at_idx ON traces (created_at);
CREATE INDEX traces_owner_idx ON traces (owner_id, id);

CREATE TABLE readiness (
    id        INTEGER NOT NULL,
    probed_at INTEGER NOT NULL,
    CONSTRAINT readiness_pkey PRIMARY KEY (id),
    CONSTRAINT readiness_single_check CHECK (id = 1)
);
INSERT INTO readiness (id, probed_at) VALUES (1, 0);
