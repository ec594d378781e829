-- Keys that all nodes of a hub share. They tell what the hub made from what it did not, and open nothing.
CREATE TABLE hub_keys (
    purpose TEXT  NOT NULL,
    key     BYTEA NOT NULL,
    CONSTRAINT hub_keys_pkey PRIMARY KEY (purpose)
);

-- Whether the checksum of a client's secret can be computed by everybody or by the hub alone.
ALTER TABLE oauth_clients ADD COLUMN secret_format TEXT NOT NULL DEFAULT 'public'
    CONSTRAINT oauth_clients_secret_format_check CHECK (secret_format IN ('public', 'keyed'));
