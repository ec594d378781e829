-- When a human last allowed a client to act as an agent. Clients that nobody allowed anything go after a while, and
-- give way when there are too many; those of the admin stay.
ALTER TABLE oauth_clients ADD COLUMN approved_at BIGINT;
UPDATE oauth_clients
   SET approved_at = (SELECT max(g.created_at) FROM oauth_grants g WHERE g.client_id = oauth_clients.client_id);
CREATE INDEX oauth_clients_approved_at_idx ON oauth_clients (approved_at, created_at, client_id)
    WHERE source <> 'admin';

-- What an access token is for, where that is less than what was granted.
ALTER TABLE oauth_tokens ADD COLUMN resource TEXT;
