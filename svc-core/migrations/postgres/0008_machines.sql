-- Machine principals: the registry that is in force, what its principals have sent, and what keeps a
-- signed request from being sent twice.

-- The document that is in force, as it was given.
CREATE TABLE machine_registry (
    id        BIGINT  NOT NULL,
    audience  TEXT    NOT NULL,
    document  TEXT    NOT NULL,
    -- Of the bytes of the document, in hexadecimal digits.
    sha256    TEXT    NOT NULL,
    -- Where it came from: the path of a file, or who gave it.
    source    TEXT    NOT NULL,
    loaded_at BIGINT  NOT NULL,
    CONSTRAINT machine_registry_pkey PRIMARY KEY (id),
    CONSTRAINT machine_registry_single_check CHECK (id = 1)
);

-- The same, to be asked with every request.
CREATE TABLE machine_principals (
    principal_id TEXT    NOT NULL,
    enabled      BOOLEAN NOT NULL,
    CONSTRAINT machine_principals_pkey PRIMARY KEY (principal_id)
);
CREATE TABLE machine_keys (
    kid          TEXT    NOT NULL,
    principal_id TEXT    NOT NULL,
    public_key   BYTEA   NOT NULL,
    status       TEXT    NOT NULL,
    -- A JSON array of words.
    scopes       JSONB   NOT NULL,
    CONSTRAINT machine_keys_pkey PRIMARY KEY (kid),
    CONSTRAINT machine_keys_public_key_check CHECK (length(public_key) = 32),
    CONSTRAINT machine_keys_status_check CHECK (status IN ('active', 'revoked')),
    CONSTRAINT machine_keys_principal_id_fkey FOREIGN KEY (principal_id)
        REFERENCES machine_principals (principal_id) ON DELETE CASCADE
);
CREATE INDEX machine_keys_principal_id_idx ON machine_keys (principal_id);

-- What was signed once is not accepted again, for as long as its time is near enough. Keys are named by
-- their bytes, so that a key under another name has no second chance.
CREATE TABLE machine_nonces (
    public_key BYTEA   NOT NULL,
    nonce      TEXT    NOT NULL,
    expires_at BIGINT  NOT NULL,
    CONSTRAINT machine_nonces_pkey PRIMARY KEY (public_key, nonce)
);
CREATE INDEX machine_nonces_expires_at_idx ON machine_nonces (expires_at);

-- Every version that a principal has set of a source's configuration; the largest number is in force.
CREATE TABLE machine_source_configs (
    principal_id TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    version      BIGINT  NOT NULL,
    config       JSONB   NOT NULL,
    sha256       TEXT    NOT NULL,
    kid          TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    CONSTRAINT machine_source_configs_pkey PRIMARY KEY (principal_id, source, version),
    CONSTRAINT machine_source_configs_version_check CHECK (version >= 1)
);

-- What each principal said last about itself. It is stale after three beats without another.
CREATE TABLE machine_statuses (
    principal_id      TEXT    NOT NULL,
    state             TEXT    NOT NULL,
    message           TEXT,
    details           JSONB   NOT NULL,
    heartbeat_seconds BIGINT  NOT NULL,
    -- When it began to be in this state.
    since             BIGINT  NOT NULL,
    seen_at           BIGINT  NOT NULL,
    beats             BIGINT  NOT NULL,
    CONSTRAINT machine_statuses_pkey PRIMARY KEY (principal_id),
    CONSTRAINT machine_statuses_heartbeat_seconds_check CHECK (heartbeat_seconds >= 1)
);

-- What principals reported. An event_id counts once per principal.
CREATE TABLE machine_events (
    id           BIGINT GENERATED ALWAYS AS IDENTITY,
    principal_id TEXT    NOT NULL,
    kid          TEXT    NOT NULL,
    event_id     TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    occurred_at  BIGINT,
    received_at  BIGINT  NOT NULL,
    data         JSONB   NOT NULL,
    -- Of everything in the event, so that a repetition with other content is noticed.
    sha256       TEXT    NOT NULL,
    channel      TEXT,
    -- The message that told the channel of it.
    message_id   BIGINT,
    -- The request that brought it; its traces have the same one.
    request_id   TEXT,
    CONSTRAINT machine_events_pkey PRIMARY KEY (id),
    CONSTRAINT machine_events_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX machine_events_event_id_key ON machine_events (principal_id, event_id);
CREATE INDEX machine_events_principal_id_idx ON machine_events (principal_id, id);
CREATE INDEX machine_events_type_idx ON machine_events (type, id);
CREATE INDEX machine_events_message_id_idx ON machine_events (message_id);

-- What each principal has sent, counted. It stays when the principal leaves the registry, and whoever adds to
-- what a principal has sent takes its row first.
CREATE TABLE machine_histories (
    principal_id  TEXT    NOT NULL,
    events        BIGINT  NOT NULL,
    last_event_at BIGINT,
    CONSTRAINT machine_histories_pkey PRIMARY KEY (principal_id)
);

-- Whoever writes events takes this row before their ids, so that ids are in the order of commits.
CREATE TABLE machine_ingestion (
    id     BIGINT  NOT NULL,
    events BIGINT  NOT NULL,
    CONSTRAINT machine_ingestion_pkey PRIMARY KEY (id),
    CONSTRAINT machine_ingestion_single_check CHECK (id = 1)
);
INSERT INTO machine_ingestion (id, events) VALUES (1, 0);

-- Traces of machines belong to no human, and are found by the request that they are about.
CREATE INDEX traces_machine_request_idx ON traces (request_id) WHERE owner_id IS NULL AND request_id IS NOT NULL;
