-- A key may have its client shown the tools with the schemas of their answers. A check cannot be changed here, so the
-- column gives way to one with another check.
ALTER TABLE api_keys ADD COLUMN shown_tools TEXT NOT NULL DEFAULT 'full'
    CONSTRAINT api_keys_mcp_profile_check CHECK (shown_tools IN ('full', 'compact', 'typed'));
UPDATE api_keys SET shown_tools = mcp_profile WHERE mcp_profile <> 'full';
ALTER TABLE api_keys DROP COLUMN mcp_profile;
ALTER TABLE api_keys RENAME COLUMN shown_tools TO mcp_profile;
