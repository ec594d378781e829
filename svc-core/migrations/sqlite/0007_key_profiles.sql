-- Which tools a client that comes with the key is shown, unless it asks for others.
ALTER TABLE api_keys ADD COLUMN mcp_profile TEXT NOT NULL DEFAULT 'full'
    CONSTRAINT api_keys_mcp_profile_check CHECK (mcp_profile IN ('full', 'compact'));
