/** Trying an operation from the page, with the login of the person: what can be tried, the form, the answer. */

import { isJson, preferredContent } from './call';
import type { OpenApiDocument } from './document';
import { exampleOf } from './example';
import type { Operation, Parameter } from './operations';
import { givesSecret, takesSecret, withoutSecrets } from './secrets';

/** How long an answer may take. */
const PATIENCE_MILLISECONDS = 30_000;
/** As much of an answer as is shown. */
const SHOWN_CHARACTERS = 50_000;

/** Parts of an address that a browser resolves, so that the request would be another one than is shown. */
const DOTS: ReadonlySet<string> = new Set(['.', '..']);

export interface Answered {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Without secrets; nothing when there is none. */
  readonly body: string | undefined;
  /** What was left out of the body, in a sentence. */
  readonly remark: string | undefined;
}

/** Why an operation cannot be tried here, in a sentence; nothing when it can. */
export function hindrance(document: OpenApiDocument, operation: Operation): string | undefined {
  const { security, requestBody, responses } = operation;
  const takesLogin =
    security.need !== 'required' ||
    security.alternatives.some((schemes) => schemes.every(({ carrier }) => carrier.kind === 'cookie'));
  if (!takesLogin) return 'It cannot be tried here, because it takes a key or a signature, not a login.';
  const streams = responses.some(({ contents }) =>
    contents.some(({ mediaType }) => mediaType.startsWith('text/event-stream')),
  );
  if (streams) return 'It cannot be tried here, because its answer does not end.';
  const content = preferredContent(requestBody?.contents ?? []);
  if (content && !isJson(content.mediaType)) return 'It cannot be tried here, because it takes a file.';
  if (takesSecret(document, operation))
    return 'It cannot be tried here, because it takes a password or a secret.';
  if (givesSecret(document, operation)) return 'It cannot be tried here, because it answers with a secret.';
  return undefined;
}

/** Whether it changes nothing, so that it needs no confirmation. */
export function isRead({ method }: Operation): boolean {
  return method === 'GET' || method === 'HEAD';
}

export class Trial {
  readonly #operation: Operation;
  readonly #send: typeof fetch;
  readonly #now: () => number;
  #running: AbortController | undefined;
  readonly hasBody: boolean;

  values: Record<string, string> = $state({});
  body = $state('');
  busy = $state(false);
  /** What is wrong with a field, by its key; `body` is that of the body. */
  faults: Readonly<Record<string, string>> = $state.raw({});
  answered: Answered | undefined = $state.raw();
  /** Why there is no answer. */
  failure: string | undefined = $state();

  constructor(document: OpenApiDocument, operation: Operation, send: typeof fetch, now: () => number) {
    this.#operation = operation;
    this.#send = send;
    this.#now = now;
    const content = preferredContent(operation.requestBody?.contents ?? []);
    this.hasBody = content !== undefined;
    if (content) this.body = JSON.stringify(exampleOf(document, content, 'request'), null, 2);
  }

  /** Looks for faults; tells whether it can be sent. */
  check(): boolean {
    const missing = this.#operation.parameters.filter(
      (parameter) => parameter.required && this.#value(parameter) === '',
    );
    const faults = Object.fromEntries([
      ...missing.map((parameter) => [keyOf(parameter), 'Enter a value.']),
      ...this.#operation.parameters
        .filter((parameter) => parameter.place === 'path' && DOTS.has(this.#value(parameter)))
        .map((parameter) => [keyOf(parameter), 'Enter another value: dots lead to another address.']),
    ]) as Record<string, string>;
    const fault = this.#bodyFault();
    this.faults = fault === undefined ? faults : { ...faults, body: fault };
    return Object.keys(this.faults).length === 0;
  }

  /** Sends it and keeps the answer. The status is returned; nothing when there was no answer. */
  async send(): Promise<number | undefined> {
    if (this.busy || !this.check()) return undefined;
    const running = new AbortController();
    const timer = setTimeout(() => running.abort(), PATIENCE_MILLISECONDS);
    this.#running = running;
    [this.busy, this.failure, this.answered] = [true, undefined, undefined];
    const begun = this.#now();
    try {
      const response = await this.#send(this.address, { ...this.#options(), signal: running.signal });
      this.answered = await read(response, this.#now() - begun);
      return response.status;
    } catch {
      this.failure = running.signal.aborted
        ? 'The request was given up, because there was no answer.'
        : 'The server is not responding.';
      return undefined;
    } finally {
      clearTimeout(timer);
      this.busy = false;
    }
  }

  /** Gives up what is on its way. */
  stop(): void {
    this.#running?.abort();
  }

  /** The address with the values of the form. */
  get address(): string {
    const { path, parameters } = this.#operation;
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_braces, name: string) =>
      encodeURIComponent(this.values[`path ${name}`]?.trim() ?? ''),
    );
    const query = parameters
      .filter((parameter) => parameter.place === 'query' && this.#value(parameter) !== '')
      .map(
        (parameter) => `${encodeURIComponent(parameter.name)}=${encodeURIComponent(this.#value(parameter))}`,
      );
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  }

  #options(): RequestInit {
    const headers = this.#operation.parameters
      .filter((parameter) => parameter.place === 'header' && this.#value(parameter) !== '')
      .map((parameter): [string, string] => [parameter.name, this.#value(parameter)]);
    const hasBody = this.hasBody && this.body.trim() !== '';
    return {
      method: this.#operation.method,
      credentials: 'same-origin',
      headers: hasBody ? [...headers, ['Content-Type', 'application/json']] : headers,
      ...(hasBody ? { body: this.body } : {}),
    };
  }

  #value(parameter: Parameter): string {
    return this.values[keyOf(parameter)]?.trim() ?? '';
  }

  #bodyFault(): string | undefined {
    if (!this.hasBody) return undefined;
    if (this.body.trim() === '')
      return this.#operation.requestBody?.required === true ? 'Enter a body.' : undefined;
    try {
      JSON.parse(this.body);
      return undefined;
    } catch (error) {
      return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`;
    }
  }
}

/** The key of a parameter in the form: two of them may have one name in different places. */
export function keyOf({ place, name }: Pick<Parameter, 'place' | 'name'>): string {
  return `${place} ${name}`;
}

async function read(response: Response, milliseconds: number): Promise<Answered> {
  const { status, statusText } = response;
  const headers = [...response.headers].map(([name, value]) => [name, withoutSecrets(value)] as const);
  const type = response.headers.get('content-type') ?? '';
  const about = { status, statusText, milliseconds: Math.max(0, Math.round(milliseconds)), headers };
  if (type !== '' && !/^(text\/|application\/(.*\+)?(json|toml|xml|openmetrics-text))/.test(type)) {
    const { byteLength } = await response.arrayBuffer();
    return { ...about, body: undefined, remark: `The body has ${byteLength} bytes of the type ${type}.` };
  }
  const whole = withoutSecrets(pretty(await response.text(), type));
  if (whole === '') return { ...about, body: undefined, remark: 'The answer has no body.' };
  const isCut = whole.length > SHOWN_CHARACTERS;
  const remark = isCut
    ? `Only the first ${SHOWN_CHARACTERS.toLocaleString('en')} characters are shown.`
    : undefined;
  return { ...about, body: isCut ? whole.slice(0, SHOWN_CHARACTERS) : whole, remark };
}

function pretty(text: string, type: string): string {
  if (!isJson(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
