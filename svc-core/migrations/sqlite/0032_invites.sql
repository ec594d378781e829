-- A note of the admin, such as a name or an address; the admin who made the invitation, unless an operator did; and
-- when it was revoked. A revoked invitation has expired too, for processes that do not know this column.
ALTER TABLE invites ADD COLUMN note TEXT;
ALTER TABLE invites ADD COLUMN created_by INTEGER
    CONSTRAINT invites_created_by_fkey REFERENCES users (id);
ALTER TABLE invites ADD COLUMN revoked_at INTEGER;

-- Links to choose a new password, at most one for each account. A used one is gone.
CREATE TABLE password_resets (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB    NOT NULL,
    user_id    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX password_resets_token_hash_key ON password_resets (token_hash);
CREATE UNIQUE INDEX password_resets_user_id_key ON password_resets (user_id);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);

-- The name of the account that did it, for actions of one account on another.
ALTER TABLE audit_log ADD COLUMN actor TEXT;
CREATE INDEX audit_log_actor_idx ON audit_log (lower(actor), id);
