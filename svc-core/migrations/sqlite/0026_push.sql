-- The key pair with which all nodes sign push messages. The private key is sealed.
CREATE TABLE push_key (
    id          INTEGER PRIMARY KEY,
    public_key  BLOB    NOT NULL,
    private_key BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    CONSTRAINT push_key_one_check CHECK (id = 1)
);

-- Browsers that receive push messages. One ends when the login session that added it is ended, and stays for a while
-- when that session expires.
CREATE TABLE push_subscriptions (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id            INTEGER NOT NULL,
    -- No foreign key: a row outlives a session that has expired.
    session_id         INTEGER NOT NULL,
    session_expires_at INTEGER NOT NULL,
    endpoint           TEXT    NOT NULL,
    endpoint_hash      BLOB    NOT NULL,
    public_key         BLOB    NOT NULL,
    auth               BLOB    NOT NULL,
    device             TEXT    NOT NULL,
    -- Events up to this one are not pushed.
    after_event        INTEGER NOT NULL,
    failures           INTEGER NOT NULL,
    last_error         TEXT,
    last_success_at    INTEGER,
    created_at         INTEGER NOT NULL,
    CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX push_subscriptions_endpoint_key ON push_subscriptions (endpoint_hash);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id, id);

-- How far the reader has told the users of one event.
CREATE TABLE push_place (
    id        INTEGER PRIMARY KEY,
    event_seq INTEGER NOT NULL,
    user_id   INTEGER NOT NULL,
    CONSTRAINT push_place_one_check CHECK (id = 1)
);
INSERT INTO push_place (id, event_seq, user_id) VALUES (1, 0, 0);

-- The notification settings of users who have changed them.
CREATE TABLE notification_settings (
    user_id     INTEGER PRIMARY KEY,
    -- The kinds that are on.
    kinds       TEXT    NOT NULL,
    -- Minutes after midnight.
    quiet_start INTEGER,
    quiet_end   INTEGER,
    time_zone   TEXT,
    -- Test notifications in the minute that began at `tests_since`.
    tests       INTEGER NOT NULL,
    tests_since INTEGER NOT NULL,
    CONSTRAINT notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT notification_settings_quiet_check CHECK
        ((quiet_start IS NULL) = (quiet_end IS NULL) AND (quiet_start IS NULL) = (time_zone IS NULL))
);

-- Conversations whose level is not the default: a channel, or the direct messages with a partner.
CREATE TABLE attention_levels (
    user_id    INTEGER NOT NULL,
    channel_id INTEGER,
    partner_id INTEGER,
    level      TEXT    NOT NULL,
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
    user_id       INTEGER NOT NULL,
    page          TEXT NOT NULL,
    visible_until INTEGER NOT NULL,
    CONSTRAINT presence_pkey PRIMARY KEY (user_id, page),
    CONSTRAINT presence_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;
