-- Browsers in which somebody has logged in, so that strangers who guess do not keep them out.
CREATE TABLE login_devices (
    id         BIGINT GENERATED ALWAYS AS IDENTITY,
    user_id    BIGINT NOT NULL,
    token_hash BYTEA  NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CONSTRAINT login_devices_pkey PRIMARY KEY (id),
    CONSTRAINT login_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX login_devices_token_hash_key ON login_devices (token_hash);
CREATE INDEX login_devices_user_id_idx ON login_devices (user_id, id);
CREATE INDEX login_devices_expires_at_idx ON login_devices (expires_at);

-- The browser of a login, as long as it is known.
ALTER TABLE sessions ADD COLUMN device_id BIGINT
    CONSTRAINT sessions_device_id_fkey REFERENCES login_devices (id) ON DELETE SET NULL;
CREATE INDEX sessions_device_id_idx ON sessions (device_id);

-- When the password was last given in a login.
ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0;
UPDATE sessions SET confirmed_at = created_at;
