/** Configurations of clients: which there are, where they are kept, and how a key gets into one. */

import type { Schemas } from '../api/client';

export type ClientKind = Schemas['ClientKind'];
export type Transport = Schemas['Transport'];
export type ClientChoice = ClientKind | 'common';

export interface Client {
  readonly kind: ClientChoice;
  readonly title: string;
  /** Where its configuration is kept. */
  readonly place: string;
  /** Under which name the configuration is downloaded. */
  readonly filename: string;
  readonly next: string;
}

export const CLIENTS: readonly Client[] = [
  {
    kind: 'claude',
    title: 'Claude Code',
    place: '.mcp.json in your project folder',
    filename: '.mcp.json',
    next: 'Start Claude Code in that folder, approve the “svc” server, then type: call my_status.',
  },
  {
    kind: 'codex',
    title: 'Codex',
    place: '~/.codex/config.toml',
    filename: 'config.toml',
    next: 'Restart Codex, then type: call my_status.',
  },
  {
    kind: 'gemini',
    title: 'Gemini CLI',
    place: '~/.gemini/settings.json',
    filename: 'settings.json',
    next: 'Restart Gemini, then type: call my_status.',
  },
  {
    kind: 'cursor',
    title: 'Cursor',
    place: '~/.cursor/mcp.json, or .cursor/mcp.json in your project',
    filename: 'mcp.json',
    next: 'Turn on the “svc” server in Cursor’s MCP settings, then type: call my_status.',
  },
  {
    kind: 'vscode',
    title: 'VS Code',
    place: '.vscode/mcp.json in your project',
    filename: 'mcp.json',
    next: 'Click Start above “svc” in that file, then ask the agent to call my_status.',
  },
  {
    kind: 'common',
    title: 'Other',
    place: 'the MCP configuration file of your client',
    filename: 'mcp.json',
    next: 'Restart the client, then ask it to call my_status.',
  },
];

const VARIABLE = 'SVC_AGENT_KEY';
const PLACEHOLDER = /\$\{(?:env:)?SVC_AGENT_KEY\}|\$\{input:svc-agent-key\}/g;

/**
 * The configuration with a key in it, where it names a place for one. It is put in here and not by the
 * server, because the server would have to be told it in an address.
 */
export function withKey(config: string, kind: ClientChoice, key: string): string | undefined {
  return kind === 'codex' ? tomlWithKey(config, key) : jsonWithKey(config, key);
}

/** How the variable is set that a configuration without a key refers to; VS Code asks for the key instead. */
export function variableLine(kind: ClientChoice, key: string | undefined, agent: string): string | undefined {
  if (kind === 'vscode') return undefined;
  return `export ${VARIABLE}='${key ?? `key for ${agent}`}'`;
}

function jsonWithKey(config: string, key: string): string | undefined {
  if (config.search(PLACEHOLDER) < 0) return undefined;
  const fields = JSON.parse(config) as Record<string, unknown>;
  delete fields['inputs'];
  return `${JSON.stringify(fields, null, 2).replace(PLACEHOLDER, key)}\n`;
}

function tomlWithKey(config: string, key: string): string | undefined {
  const [header, variables] = [`bearer_token_env_var = "${VARIABLE}"\n`, `env_vars = ["${VARIABLE}"]\n`];
  if (config.includes(header)) {
    const rest = config.replace(header, '').trimEnd();
    return `${rest}\n\n[mcp_servers.svc.http_headers]\nAuthorization = "Bearer ${key}"\n`;
  }
  // The last line may come without its end.
  const whole = `${config.trimEnd()}\n`;
  if (!whole.includes(variables)) return undefined;
  return `${whole.replace(variables, '').trimEnd()}\n\n[mcp_servers.svc.env]\n${VARIABLE} = "${key}"\n`;
}
