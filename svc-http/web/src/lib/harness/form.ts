/** The harness of an agent as the fields of a form, and back. What the form does not know is kept as it is. */

export type Backend = 'subprocess' | 'docker' | 'k8s' | 'webhook';

export const BACKENDS: readonly { value: Backend; title: string }[] = [
  { value: 'subprocess', title: 'Subprocess: a command on the server' },
  { value: 'docker', title: 'Docker: a container' },
  { value: 'k8s', title: 'Kubernetes: a job in a cluster' },
  { value: 'webhook', title: 'Webhook: a request to a URL' },
];

export const PRESETS: readonly { value: string; title: string }[] = [
  { value: '', title: 'None' },
  { value: 'claude', title: 'Claude Code' },
  { value: 'codex', title: 'Codex' },
  { value: 'gemini', title: 'Gemini CLI' },
  { value: 'opencode', title: 'opencode' },
];

/** What a prompt template may contain. */
export const PLACEHOLDERS: readonly { name: string; text: string }[] = [
  { name: 'messages', text: 'the messages that wait, with their authors' },
  { name: 'thread', text: 'up to 10 earlier messages of the thread' },
  { name: 'request', text: 'what you ask for with “Run now”' },
  { name: 'budget', text: 'what is left of the budget' },
  { name: 'how_to_answer', text: 'how the agent answers' },
  { name: 'agent', text: 'the name of the agent' },
  { name: 'run_id', text: 'the id of the run' },
];

/** The fields of the form, as they are typed. */
export interface HarnessForm {
  backend: Backend;
  preset: string;
  command: string;
  image: string;
  url: string;
  /** One argument per line. */
  args: string;
  /** One `NAME=value` per line. */
  env: string;
  timeout: string;
  memory: string;
  prompt: string;
  reply: 'auto' | 'never';
  maxUsd: string;
  maxTokens: string;
}

type Json = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const number = (value: unknown) => (typeof value === 'number' ? String(value) : '');

export function asHarness(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function formOf(value: unknown): HarnessForm {
  const harness = asHarness(value);
  const args = Array.isArray(harness['args']) ? harness['args'] : [];
  return {
    backend: BACKENDS.find(({ value }) => value === harness['backend'])?.value ?? 'subprocess',
    preset: text(harness['preset']),
    command: text(harness['command']),
    image: text(harness['image']),
    url: text(harness['url']),
    args: args.filter((one) => typeof one === 'string').join('\n'),
    env: Object.entries(asHarness(harness['env']))
      .map(([name, value]) => `${name}=${text(value)}`)
      .join('\n'),
    timeout: number(harness['timeout_seconds']) || '600',
    memory: number(harness['memory_mb']),
    prompt: text(harness['prompt']),
    reply: harness['reply'] === 'never' ? 'never' : 'auto',
    maxUsd: number(harness['max_usd']),
    maxTokens: number(harness['max_tokens']),
  };
}

/** Inputs of numbers bind numbers, or nothing while they are empty. */
const typed = (value: unknown) => String(value ?? '').trim();
const lines = (typed: string) => typed.split('\n').filter((line) => line.trim() !== '');

/**
 * The harness that the form describes, on top of the one that was there. Fields that do not go with the backend are left
 * out. Empty fields are left out, too.
 */
export function harnessOf(form: HarnessForm, before: unknown): Record<string, unknown> {
  const harness: Record<string, unknown> = { ...asHarness(before) };
  const put = (name: string, value: unknown, isThere: boolean) => {
    if (isThere) harness[name] = value;
    else delete harness[name];
  };
  const isWebhook = form.backend === 'webhook';
  const isImage = form.backend === 'docker' || form.backend === 'k8s';
  harness['backend'] = form.backend;
  put('preset', form.preset, !isWebhook && form.preset !== '');
  put('command', form.command.trim(), !isWebhook && form.command.trim() !== '');
  put('image', form.image.trim(), isImage && form.image.trim() !== '');
  put('url', form.url.trim(), isWebhook && form.url.trim() !== '');
  const args = lines(form.args);
  put('args', args, !isWebhook && args.length > 0);
  const env = Object.fromEntries(
    lines(form.env).map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
  put('env', env, !isWebhook && Object.keys(env).length > 0);
  put('timeout_seconds', Number(typed(form.timeout)), typed(form.timeout) !== '');
  put('memory_mb', Number(typed(form.memory)), !isWebhook && typed(form.memory) !== '');
  put('prompt', form.prompt, form.prompt.trim() !== '');
  harness['reply'] = form.reply;
  put('max_usd', Number(typed(form.maxUsd)), typed(form.maxUsd) !== '');
  put('max_tokens', Number(typed(form.maxTokens)), typed(form.maxTokens) !== '');
  return harness;
}

/** A line of the environment that is no `NAME=value`. */
export function envProblem(typed: string): string | undefined {
  const wrong = lines(typed).find((line) => !/^\s*[A-Za-z_][A-Za-z0-9_]*\s*=/.test(line));
  return wrong === undefined ? undefined : `Write NAME=value on each line; “${wrong}” is not.`;
}

/** Names in `{{…}}` that the hub does not know. */
export function promptProblem(template: string): string | undefined {
  const found = [...template.matchAll(/\{\{(.*?)\}\}/gs)].map(([, name = '']) => name.trim());
  const unknown = found.find((name) => !PLACEHOLDERS.some((known) => known.name === name));
  return unknown === undefined
    ? undefined
    : `{{${unknown}}} is not known. Use only the placeholders listed below.`;
}

/** What the server may find wrong that has a field in the form; others are shown below it. */
export const FIELDS = [
  ...['backend', 'preset', 'command', 'image', 'url', 'args', 'env', 'timeout_seconds', 'memory_mb'],
  ...['prompt', 'reply', 'max_usd', 'max_tokens'],
].map((name) => `harness.${name}`);

/** The first remark on a field or on a part of it, such as `harness.env.PATH`. */
export function remarkOn(
  name: string,
  fields: readonly { field: string; message: string }[],
): string | undefined {
  const whole = `harness.${name}`;
  const found = fields.find(
    ({ field }) => field === whole || field.startsWith(`${whole}.`) || field.startsWith(`${whole}[`),
  );
  if (!found) return undefined;
  const part = found.field.slice(whole.length).replace(/^\./, '');
  const said = part === '' ? found.message : `${part} ${found.message}`;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`;
}
