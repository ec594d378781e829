/** Typed calls to the server. Whatever is not a success is thrown, as a `Problem` or as `Unreachable`. */

import createClient, { type Client } from 'openapi-fetch';
import { asObject, asText } from '../json/read';
import { Problem, Unreachable, type FieldProblem } from './problem';
import type { components, paths } from './schema';

export type Api = Client<paths>;
export type Schemas = components['schemas'];
export type Channel = Schemas['Channel'];
export type Message = Schemas['Message'];
export type Partner = Schemas['Partner'];
export type Agent = Schemas['Agent'];
export type User = Schemas['User'];

interface Options {
  fetch: typeof fetch;
  /** Where the server is, without a slash at the end. */
  origin: string;
  /** Called when the server has answered that nobody is logged in, or that a password is wrong. */
  refused?: () => void;
}

export function createApi({ fetch: send, origin, refused }: Options): Api {
  return createClient<paths>({
    baseUrl: origin,
    fetch: async (request) => {
      const response = await send(request).catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        throw new Unreachable();
      });
      if (response.ok) return response;
      if (response.status === 401) refused?.();
      throw await readProblem(response);
    },
  });
}

type Data<Answer> = Answer extends { data: infer Body } ? Exclude<Body, undefined> : never;

/** What a call brought: `const page = await answer(api.GET('/api/channels'))`. */
export async function answer<Answer extends { data?: unknown }>(
  call: Promise<Answer>,
): Promise<Data<Answer>> {
  return (await call).data as Data<Answer>;
}

/** A key under which a POST happens at most once, however often it is sent. */
export function newIdempotencyKey(): string {
  // `randomUUID` is there only with TLS or on the machine itself.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The problem that an answer without success tells of. */
export async function readProblem(response: Response): Promise<Problem> {
  const body = asObject(await response.json().catch(() => undefined));
  const errors = body?.['errors'];
  const code = asText(body?.['code']);
  const title = asText(body?.['title']);
  const detail = asText(body?.['detail']);
  const wait = Number(response.headers.get('retry-after') ?? undefined);
  return new Problem({
    status: response.status,
    ...(code === undefined ? {} : { code }),
    ...(title === undefined ? {} : { title }),
    ...(detail === undefined ? {} : { detail }),
    fields: Array.isArray(errors) ? errors.flatMap(readField) : [],
    members: body ?? {},
    retryAfter: Number.isFinite(wait) ? wait : undefined,
  });
}

function readField(entry: unknown): FieldProblem[] {
  const fields = asObject(entry);
  const field = asText(fields?.['field']);
  const message = asText(fields?.['message']);
  return field !== undefined && message !== undefined ? [{ field, message }] : [];
}
