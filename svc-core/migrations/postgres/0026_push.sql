-- The key pair with which all nodes sign push messages. The private key is sealed.
CREATE TABLE push_key (
    id          BIGINT NOT NULL,
    public_key  BYTEA  NOT NULL,
    private_key BYTEA  NOT NULL,
    created_at  BIGINT NOT NULL,
    CONSTRAINT push_key_pkey PRIMARY KEY (id),
    CONSTRAINT push_key_one_check CHECK (id = 1)
);

-- Browsers that receive push messages. One ends when the login session that added it is ended, and stays for a while
-- when that session expires.
CREATE TABLE push_subscriptions (
    id                 BIGINT GENERATED ALWAYS AS IDENTITY,
    user_id            BIGINT NOT NULL,
    -- No foreign key: a row outlives a session that has expired.
    session_id         BIGINT NOT NULL,
    session_expires_at BIGINT NOT NULL,
    endpoint           TEXT   NOT NULL,
    endpoint_hash      BYTEA  NOT NULL,
    public_key         BYTEA  NOT NULL,
    auth               BYTEA  NOT NULL,
    device             TEXT   NOT NULL,
    -- Events up to this one are not pushed.
    after_event        BIGINT NOT NULL,
    failures           BIGINT NOT NULL,
    last_error         TEXT,
    last_success_at    BIGINT,
    created_at         BIGINT NOT NULL,
    CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
    CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX push_subscriptions_endpoint_key ON push_subscriptions (endpoint_hash);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id, id);

-- How far the reader has told the users of one event.
CREATE TABLE push_place (
    id        BIGINT NOT NULL,
    event_seq BIGINT NOT NULL,
    user_id   BIGINT NOT NULL,
    CONSTRAINT push_place_pkey PRIMARY KEY (id),
    CONSTRAINT push_place_one_check CHECK (id = 1)
);
INSERT INTO push_place (id, event_seq, user_id) VALUES (1, 0, 0);

-- The notification settings of users who have changed them.
CREATE TABLE notification_settings (
    user_id     BIGINT NOT NULL,
    -- The kinds that are on.
    kinds       JSONB  NOT NULL,
    -- Minutes after midnight.
    quiet_start BIGINT,
    quiet_end   BIGINT,
    time_zone   TEXT,
    -- Test notifications in the minute that began at `tests_since`.
    tests       BIGINT NOT NULL,
    tests_since BIGINT NOT NULL,
    CONSTRAINT notification_settings_pkey PRIMARY KEY (user_id),
    CONSTRAINT notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT notification_settings_quiet_check CHECK
        ((quiet_start IS NULL) = (quiet_end IS NULL) AND (quiet_start IS NULL) = (time_zone IS NULL))
);

-- Conversations whose level is not the default: a channel, or the direct messages with a partner.
CREATE TABLE attention_levels (
    user_id    BIGINT NOT NULL,
    channel_id BIGINT,
    partner_id BIGINT,
    level      TEXT   NOT NULL,
    CONSTRAINT attention_levels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT attention_levels_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id),
    CONSTRAINT attention_levels_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES participants (id),
    CONSTRAINT attention_levels_one_check CHECK ((channel_id IS NULL) <> (partner_id IS NULL)),
    CONSTRAINT attention_levels_level_check CHECK (level IN ('all', 'mentions', 'nothing'))
);
CREATE UNIQUE INDEX attention_levels_channel_key ON attention_levels (user_id, channel_id)
    WHERE channel_id IS NOT NULL;
CREATE UNIQUE INDEX attention_levels_partner_key ON attention_levels (user_id, partner_id)
    WHERE partner_id IS NOT NULL;
CREATE INDEX attention_levels_channel_id_idx ON attention_levels (channel_id, level, user_id)
    WHERE channel_id IS NOT NULL;

-- Pages of users, and until when each is visible unless it says so again.
CREATE TABLE presence (
    user_id       BIGINT NOT NULL,
    page          TEXT COLLATE "C" NOT NULL,
    visible_until BIGINT NOT NULL,
    CONSTRAINT presence_pkey PRIMARY KEY (user_id, page),
    CONSTRAINT presence_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
