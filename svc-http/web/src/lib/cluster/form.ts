/** A new handler as the fields of a form, and what is wrong with them. */

import type { WebhookEvent } from '../webhooks/words';
import type { NewHandler } from './words';

/** A variable of the environment, as it is typed. */
export interface Variable {
  /** Tells rows apart while their names change. */
  readonly key: number;
  name: string;
  value: string;
}

/** The fields of the form, as they are typed. */
export interface HandlerForm {
  image: string;
  events: readonly WebhookEvent[];
  namespace: string;
  memory: string;
  cpu: string;
  timeout: string;
  account: string;
  env: Variable[];
}

export function emptyForm(): HandlerForm {
  return {
    image: '',
    events: ['message.received', 'message.mentioned'],
    namespace: '',
    memory: '',
    cpu: '',
    timeout: '',
    account: '',
    env: [],
  };
}

/** The names of the server for fields that may be wrong; those of variables come after `env.`. */
export const MORE_FIELDS = ['namespace', 'memory', 'cpu', 'timeout_seconds', 'service_account', 'env'];

/** Inputs of numbers bind numbers, or nothing while they are empty. */
const typed = (value: unknown) => String(value ?? '').trim();

/** Rows without a name and a value are not meant. */
function meant(env: readonly Variable[]): Variable[] {
  return env.filter(({ name, value }) => name.trim() !== '' || value !== '');
}

/** What is asked for. Empty fields are left out. */
export function handlerOf(form: HandlerForm): Omit<NewHandler, 'agent'> {
  const env = meant(form.env).map(({ name, value }) => [name.trim(), value] as const);
  const texts = {
    namespace: typed(form.namespace),
    memory: typed(form.memory),
    cpu: typed(form.cpu),
    service_account: typed(form.account),
  };
  return {
    image: form.image.trim(),
    events: [...form.events],
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(typed(form.timeout) === '' ? {} : { timeout_seconds: Number(typed(form.timeout)) }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

/** What is wrong with a row that the server would not see: it has no name, or that of another. */
export function rowProblem(env: readonly Variable[], row: Variable): string | undefined {
  const name = row.name.trim();
  if (name === '') return row.value === '' ? undefined : 'Enter a name.';
  const first = env.find((other) => other.name.trim() === name);
  return first?.key === row.key ? undefined : `${name} is there twice.`;
}

/** Whether the form can be sent. */
export function isComplete({ events, env, timeout }: HandlerForm): boolean {
  return (
    events.length > 0 &&
    timeProblem(timeout) === undefined &&
    env.every((row) => rowProblem(env, row) === undefined)
  );
}

/** A time limit that is no whole number of seconds. The server tells the range. */
export function timeProblem(timeout: unknown): string | undefined {
  const text = typed(timeout);
  return text === '' || /^\d+$/.test(text) ? undefined : 'Must be a whole number of seconds.';
}
