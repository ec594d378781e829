import { expect, test } from 'vitest';
import { CLIENTS, variableLine, withKey } from './snippets';

const json = (secret: string, more: object = {}) =>
  JSON.stringify({ ...more, servers: { svc: { headers: { Authorization: `Bearer ${secret}` } } } }, null, 2);

test.each(['${SVC_AGENT_KEY}', '${env:SVC_AGENT_KEY}', '${input:svc-agent-key}'])(
  'the key takes the place of %s',
  (placeholder) => {
    const config = withKey(json(placeholder, { inputs: [{ id: 'svc-agent-key' }] }), 'vscode', 'svca_1');
    expect(JSON.parse(config ?? '')).toEqual(JSON.parse(json('svca_1')));
  },
);

test('Codex gets the key as a header over HTTP', () => {
  const config = '[mcp_servers.svc]\nbearer_token_env_var = "SVC_AGENT_KEY"\nurl = "http://hub/mcp"\n';
  expect(withKey(config, 'codex', 'svca_1')).toBe(
    '[mcp_servers.svc]\nurl = "http://hub/mcp"\n\n[mcp_servers.svc.http_headers]\nAuthorization = "Bearer svca_1"\n',
  );
});

test('Codex gets the key as a variable over stdio', () => {
  const config = '[mcp_servers.svc]\ncommand = "svc-mcp-stdio"\nenv_vars = ["SVC_AGENT_KEY"]';
  expect(withKey(config, 'codex', 'svca_1')).toBe(
    '[mcp_servers.svc]\ncommand = "svc-mcp-stdio"\n\n[mcp_servers.svc.env]\nSVC_AGENT_KEY = "svca_1"\n',
  );
});

test('a configuration without a place for a key stays without one', () => {
  expect(withKey('{"servers": {}}', 'cursor', 'svca_1')).toBeUndefined();
  expect(withKey('[mcp_servers.svc]\n', 'codex', 'svca_1')).toBeUndefined();
});

test('every client but VS Code reads the key from a variable', () => {
  const lines = CLIENTS.map(({ kind }) => variableLine(kind, 'svca_1', 'bot'));
  expect(lines.filter((line) => line === "export SVC_AGENT_KEY='svca_1'")).toHaveLength(CLIENTS.length - 1);
  expect(variableLine('vscode', 'svca_1', 'bot')).toBeUndefined();
  expect(variableLine('claude', undefined, 'bot')).toBe("export SVC_AGENT_KEY='key for bot'");
});
