/** Answers to what `start.js` has asked for while the program was on its way. Each is good for one question, but for who is logged in. */

/** Later than this, an answer may be outdated. */
const FRESH_MILLISECONDS = 10_000;
const ASKED_TWICE = '/auth/me';

export type EarlyAnswers = Map<string, Promise<Response>>;

/** `send`, but with the early answer where there is one. */
export function withEarly(
  send: typeof fetch,
  early: EarlyAnswers | undefined,
  sinceStart: () => number = () => performance.now(),
): typeof fetch {
  const answered = new WeakSet<Promise<Response>>();
  return async (input, options) => {
    const address = plainQuestion(input, options);
    const answer = address === undefined ? undefined : early?.get(address);
    if (address === undefined || answer === undefined) return send(input, options);
    early?.delete(address);
    if (sinceStart() > FRESH_MILLISECONDS) return send(input, options);
    try {
      const response = await answer;
      // Two callers need the user: the account and the store.
      if (address === ASKED_TWICE && response.ok && !answered.has(answer)) {
        answered.add(answer);
        early?.set(address, answer);
        return response.clone();
      }
      return response;
    } catch {
      // The connection may be there by now.
      return send(input, options);
    }
  };
}

/** The early answers of this page. */
export function earlyAnswers(): EarlyAnswers | undefined {
  const found: unknown = Reflect.get(window, 'svcEarly');
  return found instanceof Map ? (found as EarlyAnswers) : undefined;
}

/** The address on this server, when it is only read. */
function plainQuestion(input: RequestInfo | URL, options?: RequestInit): string | undefined {
  const method = options?.method ?? (input instanceof Request ? input.method : 'GET');
  if (method !== 'GET') return undefined;
  const url = input instanceof Request ? input.url : String(input);
  if (url.startsWith('/')) return url;
  return url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : undefined;
}
