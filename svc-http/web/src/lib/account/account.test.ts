import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Account } from './account.svelte';

const ADA = { id: 1, username: 'ada', display_name: 'Ada Lovelace', role: 'user' };

/** A server whose answers can be changed between requests. */
class StandInServer {
  requests: string[] = [];
  me: () => Promise<Response> = async () => Response.json(ADA);
  logout: () => Promise<Response> = async () => new Response(null, { status: 204 });

  fetch = (async (path: string, options?: RequestInit) => {
    this.requests.push(`${options?.method ?? 'GET'} ${path}`);
    const answer = path === '/auth/me' ? this.me() : this.logout();
    return Promise.race([answer, aborted(options?.signal)]);
  }) as typeof fetch;
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

const refused = () => Promise.reject(new TypeError('refused'));
const never = () => new Promise<Response>(() => undefined);
const withStatus = (status: number) => async () => Response.json({ code: 'some_problem' }, { status });

let server: StandInServer;
let account: Account;

beforeEach(() => {
  vi.useFakeTimers();
  server = new StandInServer();
  account = new Account(server.fetch);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('asking', () => {
  test('nothing is known before the answer', async () => {
    expect(account.who).toBe('unknown');
    await account.load();
    expect(account.who).toEqual({ username: 'ada', displayName: 'Ada Lovelace' });
    expect(server.requests).toEqual(['GET /auth/me']);
  });

  test('a server that is not responding is told from one that has not answered yet', async () => {
    server.me = refused;
    expect(account.unanswered).toBe(false);
    await account.load();
    expect(account.unanswered).toBe(true);
    server.me = withStatus(401);
    await account.load();
    expect(account.unanswered).toBe(false);
  });

  test('401 is nobody', async () => {
    server.me = withStatus(401);
    await account.load();
    expect(account.who).toBe('nobody');
  });

  test('who has no name for people is called by the username', async () => {
    server.me = async () => Response.json({ ...ADA, display_name: ' ' });
    await account.load();
    expect(account.who).toEqual({ username: 'ada', displayName: 'ada' });
  });

  test.each([
    ['a lost server', refused],
    ['a server that is busy', withStatus(429)],
    ['a broken server', withStatus(500)],
    ['something that is no hub', async () => new Response('<h1>Welcome</h1>')],
    ['an answer without a username', async () => Response.json({})],
  ])('%s leaves it unknown', async (_what, me) => {
    server.me = me;
    await account.load();
    expect(account.who).toBe('unknown');
  });

  test('a server that is lost later changes nothing', async () => {
    await account.load();
    server.me = refused;
    await account.load();
    expect(account.who).toMatchObject({ username: 'ada' });
  });

  test('the answer to an older question is ignored', async () => {
    let answerLate: (response: Response) => void = () => undefined;
    server.me = () => new Promise((resolve) => (answerLate = resolve));
    const older = account.load();
    server.me = withStatus(401);
    await account.load();
    answerLate(Response.json(ADA));
    await older;
    expect(account.who).toBe('nobody');
  });
});

describe('a session that ends by itself', () => {
  test('is told apart from never having been logged in', async () => {
    account.sessionEnded();
    expect(account).toMatchObject({ who: 'nobody', expired: false });
    await account.load();
    account.sessionEnded();
    account.sessionEnded();
    expect(account).toMatchObject({ who: 'nobody', expired: true, handle: 'ada' });
  });

  test('is over when somebody logs in again, as in another tab', async () => {
    await account.load();
    account.sessionEnded();
    await account.load();
    expect(account).toMatchObject({ who: { username: 'ada' }, expired: false });
  });

  test('is believed when the server says so: a wrong password is refused in the same way', async () => {
    await account.load();
    await account.refused();
    expect(account).toMatchObject({ who: { username: 'ada' }, expired: false });
    server.me = withStatus(401);
    await Promise.all([account.refused(), account.refused()]);
    expect(account).toMatchObject({ who: 'nobody', expired: true });
    expect(server.requests).toHaveLength(3);
    await account.refused();
    expect(server.requests).toHaveLength(3);
  });

  test('is left open by a server that cannot be asked', async () => {
    await account.load();
    server.me = refused;
    await account.refused();
    expect(account).toMatchObject({ who: { username: 'ada' }, expired: false });
  });

  test('is not what logging out is', async () => {
    await account.load();
    await account.logOut();
    expect(account).toMatchObject({ who: 'nobody', expired: false });
  });
});

describe('logging out', () => {
  beforeEach(() => account.load());

  test('leaves nobody', async () => {
    await account.logOut();
    expect(account.who).toBe('nobody');
    expect(account.failure).toBeUndefined();
    expect(server.requests).toEqual(['GET /auth/me', 'POST /auth/logout']);
  });

  test('a login that had ended before is as good', async () => {
    server.logout = withStatus(401);
    await account.logOut();
    expect(account.who).toBe('nobody');
    expect(account.failure).toBeUndefined();
  });

  test.each([
    ['a lost server', refused, 'the server is not responding'],
    ['a refusal', withStatus(503), 'the server returned status 503'],
  ])('%s is told, and the person stays on screen', async (_what, logout, reason) => {
    server.logout = logout;
    await account.logOut();
    expect(account.who).toMatchObject({ username: 'ada' });
    expect(account.failure).toBe(`You may still be logged in: ${reason}.`);
  });

  test('a server that hangs is given up after ten seconds', async () => {
    server.logout = never;
    const leaving = account.logOut();
    await vi.advanceTimersByTimeAsync(10_000);
    await leaving;
    expect(account.failure).toBe('You may still be logged in: the server did not respond within 10 seconds.');
  });

  test('can be tried again after a failure, which is then forgotten', async () => {
    server.logout = refused;
    await account.logOut();
    server.logout = async () => new Response(null, { status: 204 });
    await account.logOut();
    expect(account.who).toBe('nobody');
    expect(account.failure).toBeUndefined();
  });

  test('a failure can be dismissed', async () => {
    server.logout = refused;
    await account.logOut();
    account.dismissFailure();
    expect(account.failure).toBeUndefined();
  });

  test('pressing twice asks once', async () => {
    await Promise.all([account.logOut(), account.logOut()]);
    expect(server.requests).toEqual(['GET /auth/me', 'POST /auth/logout']);
  });

  test('an answer that was under way does not bring the person back', async () => {
    let answerLate: (response: Response) => void = () => undefined;
    server.me = () => new Promise((resolve) => (answerLate = resolve));
    const asking = account.load();
    await account.logOut();
    answerLate(Response.json(ADA));
    await asking;
    expect(account.who).toBe('nobody');
  });
});

describe('without a connection', () => {
  const person = { username: 'ada', displayName: 'Ada Lovelace' };

  test('who was here last is taken for the one who is here, until the server says so', async () => {
    server.me = refused;
    await account.load();
    expect(account.assume(person)).toBe(true);
    expect([account.who, account.handle, account.isAssumed]).toEqual([person, 'ada', true]);
    await account.load();
    expect(account.isAssumed).toBe(true);
    server.me = async () => Response.json(ADA);
    await account.load();
    expect([account.who, account.isAssumed]).toEqual([person, false]);
  });

  test('when the server knows better, it counts', async () => {
    await account.load();
    expect(account.assume({ username: 'eve', displayName: 'Eve' })).toBe(false);
    expect(account.handle).toBe('ada');
    const other = new Account(server.fetch);
    other.assume({ username: 'eve', displayName: 'Eve' });
    server.me = withStatus(401);
    await other.load();
    expect([other.who, other.isAssumed, other.expired]).toEqual(['nobody', false, true]);
  });

  test('what is kept of the person is thrown away before the page learns that nobody is here', async () => {
    const seen: unknown[] = [];
    const held: unknown[] = [];
    let unsaid = 2;
    const leaving: Account = new Account(server.fetch, {
      unsaid: () => unsaid,
      forget: async () => void seen.push(leaving.who),
      hold: async () => {
        held.push(server.requests.length);
        return ({ hasLeft }) => held.push(hasLeft);
      },
    });
    await leaving.load();
    // What is written and not sent is not thrown away without a question.
    await leaving.logOut();
    expect([leaving.losing, server.requests.length]).toEqual([2, 1]);
    server.logout = refused;
    await leaving.logOut({ isSure: true });
    expect(seen).toEqual([]);
    unsaid = 0;
    server.logout = async () => new Response(null, { status: 204 });
    await leaving.logOut();
    expect(seen).toEqual([person]);
    expect(leaving.who).toBe('nobody');
    // Nothing else is asked while the server is, and that ends with how the logout did.
    expect(held).toEqual([1, false, 2, true]);
  });
});
