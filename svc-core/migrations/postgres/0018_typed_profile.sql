-- A key may have its client shown the tools with the schemas of their answers.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_mcp_profile_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_mcp_profile_check CHECK (mcp_profile IN ('full', 'compact', 'typed'));
