-- Who there is and how they prove it: participants, humans, agents, sessions, keys, OAuth, secrets,
-- and the record of all of that.

-- Everything that can send or receive. A handle is given once and never again, whatever its case.
CREATE TABLE participants (
    id           BIGINT GENERATED ALWAYS AS IDENTITY,
    kind         TEXT    NOT NULL,
    handle       TEXT    NOT NULL,
    handle_key   TEXT    NOT NULL,
    display_name TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    deleted_at   BIGINT,
    CONSTRAINT participants_pkey PRIMARY KEY (id),
    CONSTRAINT participants_kind_check CHECK (kind IN ('human', 'agent', 'system'))
);
CREATE UNIQUE INDEX participants_handle_key ON participants (handle_key);
CREATE UNIQUE INDEX participants_system_key ON participants (kind) WHERE kind = 'system';

CREATE TABLE users (
    id                  BIGINT  NOT NULL,
    -- Null once the account is deleted.
    password_hash       TEXT,
    role                TEXT    NOT NULL,
    password_changed_at BIGINT  NOT NULL,
    disabled_at         BIGINT,
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_id_fkey FOREIGN KEY (id) REFERENCES participants (id),
    CONSTRAINT users_role_check CHECK (role IN ('admin', 'user'))
);

CREATE TABLE invites (
    id          BIGINT GENERATED ALWAYS AS IDENTITY,
    token_hash  BYTEA   NOT NULL,
    role        TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL,
    redeemed_at BIGINT,
    redeemed_by BIGINT,
    CONSTRAINT invites_pkey PRIMARY KEY (id),
    CONSTRAINT invites_role_check CHECK (role IN ('admin', 'user')),
    CONSTRAINT invites_redeemed_by_fkey FOREIGN KEY (redeemed_by) REFERENCES users (id)
);
CREATE UNIQUE INDEX invites_token_hash_key ON invites (token_hash);
CREATE INDEX invites_expires_at_idx ON invites (expires_at);

CREATE TABLE sessions (
    id         BIGINT GENERATED ALWAYS AS IDENTITY,
    user_id    BIGINT  NOT NULL,
    token_hash BYTEA   NOT NULL,
    remote_ip  TEXT,
    user_agent TEXT,
    created_at BIGINT  NOT NULL,
    seen_at    BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL,
    CONSTRAINT sessions_pkey PRIMARY KEY (id),
    CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_user_id_idx ON sessions (user_id, id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- How often somebody tried in vain, by the hash of a name or of an address.
CREATE TABLE login_failures (
    subject       BYTEA   NOT NULL,
    failures      BIGINT  NOT NULL,
    last_at       BIGINT  NOT NULL,
    blocked_until BIGINT  NOT NULL,
    CONSTRAINT login_failures_pkey PRIMARY KEY (subject)
);
CREATE INDEX login_failures_last_at_idx ON login_failures (last_at);

CREATE TABLE agents (
    id                BIGINT  NOT NULL,
    owner_id          BIGINT  NOT NULL,
    trigger_mode      TEXT    NOT NULL,
    cooldown_seconds  BIGINT  NOT NULL,
    daily_run_budget  BIGINT  NOT NULL,
    max_trigger_depth BIGINT  NOT NULL,
    k8s_image         TEXT,
    harness           JSONB   NOT NULL,
    agent_md          TEXT    NOT NULL,
    pending_work      BOOLEAN NOT NULL,
    quarantined_at    BIGINT,
    paused_at         BIGINT,
    updated_at        BIGINT  NOT NULL,
    CONSTRAINT agents_pkey PRIMARY KEY (id),
    CONSTRAINT agents_id_fkey FOREIGN KEY (id) REFERENCES participants (id),
    CONSTRAINT agents_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT agents_trigger_mode_check CHECK (trigger_mode IN ('passive', 'reactive', 'disabled'))
);
CREATE INDEX agents_owner_id_idx ON agents (owner_id, id);

-- Agent keys and managed keys. `key_id` is the public half, by which a key is found in one read.
CREATE TABLE api_keys (
    id               BIGINT GENERATED ALWAYS AS IDENTITY,
    key_id           TEXT    NOT NULL,
    secret_hash      BYTEA   NOT NULL,
    kind             TEXT    NOT NULL,
    owner_id         BIGINT  NOT NULL,
    agent_id         BIGINT,
    name             TEXT    NOT NULL,
    permissions      JSONB   NOT NULL,
    allowed_channels JSONB   NOT NULL,
    created_at       BIGINT  NOT NULL,
    expires_at       BIGINT,
    used_at          BIGINT,
    revoked_at       BIGINT,
    CONSTRAINT api_keys_pkey PRIMARY KEY (id),
    CONSTRAINT api_keys_kind_check CHECK (kind IN ('agent', 'managed')),
    CONSTRAINT api_keys_agent_check CHECK (kind = 'managed' OR agent_id IS NOT NULL),
    CONSTRAINT api_keys_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id),
    CONSTRAINT api_keys_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE UNIQUE INDEX api_keys_key_id_key ON api_keys (key_id);
CREATE UNIQUE INDEX api_keys_one_agent_key ON api_keys (agent_id) WHERE kind = 'agent' AND revoked_at IS NULL;
CREATE INDEX api_keys_owner_id_idx ON api_keys (owner_id, id);
CREATE INDEX api_keys_agent_id_idx ON api_keys (agent_id);
CREATE INDEX api_keys_active_idx ON api_keys (owner_id) WHERE kind = 'managed' AND revoked_at IS NULL;
CREATE INDEX api_keys_revoked_at_idx ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE oauth_clients (
    client_id                  TEXT    NOT NULL,
    source                     TEXT    NOT NULL,
    name                       TEXT    NOT NULL,
    -- Null for clients that cannot keep a secret.
    secret_hash                TEXT,
    token_endpoint_auth_method TEXT    NOT NULL,
    redirect_uris              JSONB   NOT NULL,
    grant_types                JSONB   NOT NULL,
    client_uri                 TEXT,
    logo_uri                   TEXT,
    -- The agent that client credentials act as, bound by its owner.
    agent_id                   BIGINT,
    created_at                 BIGINT  NOT NULL,
    -- When a metadata document was last read; it is read again after a while.
    fetched_at                 BIGINT,
    CONSTRAINT oauth_clients_pkey PRIMARY KEY (client_id),
    CONSTRAINT oauth_clients_source_check CHECK (source IN ('registered', 'admin', 'document')),
    CONSTRAINT oauth_clients_method_check CHECK
        (token_endpoint_auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    CONSTRAINT oauth_clients_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE INDEX oauth_clients_created_at_idx ON oauth_clients (created_at, client_id);
CREATE INDEX oauth_clients_agent_id_idx ON oauth_clients (agent_id);

-- What a human allowed a client, or what a client may do by itself: the family of its tokens.
CREATE TABLE oauth_grants (
    id         BIGINT GENERATED ALWAYS AS IDENTITY,
    client_id  TEXT    NOT NULL,
    user_id    BIGINT  NOT NULL,
    agent_id   BIGINT  NOT NULL,
    scope      TEXT    NOT NULL,
    resource   TEXT,
    created_at BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL,
    revoked_at BIGINT,
    CONSTRAINT oauth_grants_pkey PRIMARY KEY (id),
    CONSTRAINT oauth_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
    CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT oauth_grants_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE INDEX oauth_grants_client_id_idx ON oauth_grants (client_id);
CREATE INDEX oauth_grants_user_id_idx ON oauth_grants (user_id, id);
CREATE INDEX oauth_grants_agent_id_idx ON oauth_grants (agent_id);
CREATE INDEX oauth_grants_expires_at_idx ON oauth_grants (expires_at);

CREATE TABLE oauth_codes (
    code_hash      BYTEA   NOT NULL,
    client_id      TEXT    NOT NULL,
    user_id        BIGINT  NOT NULL,
    agent_id       BIGINT  NOT NULL,
    redirect_uri   TEXT    NOT NULL,
    code_challenge TEXT    NOT NULL,
    scope          TEXT    NOT NULL,
    resource       TEXT,
    created_at     BIGINT  NOT NULL,
    expires_at     BIGINT  NOT NULL,
    -- What the code was exchanged for; a second exchange ends it.
    grant_id       BIGINT,
    CONSTRAINT oauth_codes_pkey PRIMARY KEY (code_hash),
    CONSTRAINT oauth_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
    CONSTRAINT oauth_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT oauth_codes_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id),
    CONSTRAINT oauth_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grants (id) ON DELETE CASCADE);
CREATE INDEX oauth_codes_expires_at_idx ON oauth_codes (expires_at);
CREATE INDEX oauth_codes_client_id_idx ON oauth_codes (client_id);
CREATE INDEX oauth_codes_grant_id_idx ON oauth_codes (grant_id);

CREATE TABLE oauth_tokens (
    token_hash BYTEA   NOT NULL,
    kind       TEXT    NOT NULL,
    grant_id   BIGINT  NOT NULL,
    created_at BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL,
    revoked_at BIGINT,
    -- For a refresh token that was used: when, and the salt from which its successors follow.
    rotated_at BIGINT,
    salt       BYTEA,
    CONSTRAINT oauth_tokens_pkey PRIMARY KEY (token_hash),
    CONSTRAINT oauth_tokens_kind_check CHECK (kind IN ('access', 'refresh')),
    CONSTRAINT oauth_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grants (id) ON DELETE CASCADE);
CREATE INDEX oauth_tokens_grant_id_idx ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expires_at_idx ON oauth_tokens (expires_at);

CREATE TABLE oauth_device_codes (
    device_code_hash BYTEA   NOT NULL,
    user_code        TEXT    NOT NULL,
    client_id        TEXT    NOT NULL,
    scope            TEXT    NOT NULL,
    resource         TEXT,
    status           TEXT    NOT NULL,
    user_id          BIGINT,
    agent_id         BIGINT,
    interval_seconds BIGINT  NOT NULL,
    polled_at        BIGINT,
    created_at       BIGINT  NOT NULL,
    expires_at       BIGINT  NOT NULL,
    CONSTRAINT oauth_device_codes_pkey PRIMARY KEY (device_code_hash),
    CONSTRAINT oauth_device_codes_status_check CHECK (status IN ('pending', 'approved', 'denied', 'used')),
    CONSTRAINT oauth_device_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
    CONSTRAINT oauth_device_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT oauth_device_codes_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id)
);
CREATE UNIQUE INDEX oauth_device_codes_user_code_key ON oauth_device_codes (user_code);
CREATE INDEX oauth_device_codes_expires_at_idx ON oauth_device_codes (expires_at);
CREATE INDEX oauth_device_codes_client_id_idx ON oauth_device_codes (client_id);

-- Values that runs receive, sealed with a key that is not in the store.
CREATE TABLE secrets (
    id             BIGINT GENERATED ALWAYS AS IDENTITY,
    participant_id BIGINT  NOT NULL,
    name           TEXT    NOT NULL,
    sealed         BYTEA   NOT NULL,
    created_at     BIGINT  NOT NULL,
    updated_at     BIGINT  NOT NULL,
    CONSTRAINT secrets_pkey PRIMARY KEY (id),
    CONSTRAINT secrets_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES participants (id)
);
CREATE UNIQUE INDEX secrets_name_key ON secrets (participant_id, name);

-- A known text under the sealing key, so that another key is noticed before it does harm.
CREATE TABLE sealing_key (
    id     BIGINT  NOT NULL,
    sealed BYTEA   NOT NULL,
    CONSTRAINT sealing_key_pkey PRIMARY KEY (id),
    CONSTRAINT sealing_key_single_check CHECK (id = 1)
);

-- What happened to accounts and credentials, for good.
CREATE TABLE audit_log (
    id         BIGINT GENERATED ALWAYS AS IDENTITY,
    event      TEXT    NOT NULL,
    user_id    BIGINT,
    username   TEXT,
    client_id  TEXT,
    remote_ip  TEXT,
    surface    TEXT    NOT NULL,
    request_id TEXT,
    details    JSONB   NOT NULL,
    created_at BIGINT  NOT NULL,
    CONSTRAINT audit_log_pkey PRIMARY KEY (id),
    CONSTRAINT audit_log_surface_check CHECK (surface IN ('hub', 'rest', 'mcp', 'admin', 'worker', 'server'))
);
CREATE INDEX audit_log_created_at_idx ON audit_log (created_at, id);
CREATE INDEX audit_log_event_idx ON audit_log (event, id);
CREATE INDEX audit_log_user_id_idx ON audit_log (user_id, id);
CREATE INDEX audit_log_username_idx ON audit_log (lower(username), id);

CREATE TABLE channels (
    id          BIGINT GENERATED ALWAYS AS IDENTITY,
    name        TEXT    NOT NULL,
    description TEXT    NOT NULL,
    public      BOOLEAN NOT NULL,
    owner_id    BIGINT  NOT NULL,
    created_at  BIGINT  NOT NULL,
    archived_at BIGINT,
    CONSTRAINT channels_pkey PRIMARY KEY (id),
    CONSTRAINT channels_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES participants (id)
);
CREATE UNIQUE INDEX channels_name_key ON channels (name);
CREATE INDEX channels_owner_id_idx ON channels (owner_id);
