/**
 * Journeys of people who connect clients to their agents, on the server that SVC_URL names. Those without
 * agents come first, so agents that other journeys have left are deleted.
 */

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { assertFits, credentials, DESKTOP, logIn, post, useBrowser } from './journeys.mjs';
import { deleteAllAgents } from './making-agents.mjs';
import { axeViolations, serverOrigin } from './visit.mjs';

const PHONE = { width: 390, height: 844 };
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The program of a client is another origin, and being led there is the point. */
const LED_TO_CLIENT = /^request to http:\/\/127\.0\.0\.1:\d+\/cb\?/;

const account = credentials();
const { visit, screenshot } = useBrowser();

/** @typedef {import('playwright-core').Page} Page */

/** The program of a client on this computer, which browsers are led back to. */
const program = createServer((request, response) => {
  arrivals.push(new URL(request.url ?? '/', 'http://program.test').searchParams);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><title>Client</title><link rel="icon" href="data:,"><p>Back at the client');
});
/** @type {URLSearchParams[]} */
const arrivals = [];
/** @type {string} */
let redirectUri;
/** @type {string} */
let clientId;

before(async () => {
  program.listen(0, '127.0.0.1');
  await once(program, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (program.address());
  redirectUri = `http://127.0.0.1:${port}/cb`;
  clientId = (await register('Example Client')).client_id;
});
after(() => {
  program.close();
  program.closeAllConnections();
});

/** @param {string} client_name */
async function register(client_name) {
  const metadata = {
    client_name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    token_endpoint_auth_method: 'none',
  };
  const response = await fetch(`${serverOrigin()}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  assert.equal(response.status, 201);
  return /** @type {{ client_id: string }} */ (await response.json());
}

/** A form for programs, and its answer. */
async function ask(/** @type {string} */ path, /** @type {Record<string, string>} */ fields) {
  const response = await fetch(serverOrigin() + path, { method: 'POST', body: new URLSearchParams(fields) });
  return /** @type {Record<string, string>} */ (await response.json());
}

/** One request of the client, from the address that it opens to the tokens. */
class Asking {
  state = randomBytes(8).toString('hex');
  #verifier = randomBytes(32).toString('base64url');
  #before = arrivals.length;

  /** @param {Record<string, string>} [changes] */
  address(changes = {}) {
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'mcp',
      state: this.state,
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    return `/oauth/authorize?${new URLSearchParams(parameters)}`;
  }

  /**
   * What the client was told, once the browser is back there.
   *
   * @param {Page} page
   */
  async answer(page) {
    await page.getByText('Back at the client').waitFor();
    assert.equal(arrivals.length, this.#before + 1);
    const told = Object.fromEntries(arrivals.at(-1) ?? []);
    assert.equal(told['state'], this.state);
    assert.equal(told['iss'], serverOrigin());
    return told;
  }

  /** @param {string | undefined} code */
  exchange(code) {
    return ask('/oauth/token', {
      grant_type: 'authorization_code',
      code: code ?? '',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: this.#verifier,
    });
  }
}

function deviceCodes() {
  return ask('/oauth/device_authorization', { client_id: clientId });
}

/** @param {Page} page */
function controls(page) {
  return {
    allow: page.getByRole('button', { name: 'Allow' }),
    deny: page.getByRole('button', { name: 'Deny' }),
    next: page.getByRole('button', { name: 'Continue' }),
    newAgent: page.getByLabel('Agent name'),
    code: page.getByLabel('Code'),
  };
}

/**
 * Runs a journey on both screens in both themes; `look` makes sure that the page is fit to be shown.
 *
 * @param {string} title
 * @param {(page: Page, look: (name: string) => Promise<void>) => Promise<void>} journey
 * @param {RegExp} [expected]
 */
function onEveryScreen(title, journey, expected) {
  for (const [screen, viewport] of /** @type {const} */ ([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      test(`${title} (${screen}, ${colorScheme})`, () =>
        visit(
          async (page) => {
            await logIn(page);
            await journey(page, async (name) => {
              await assertFits(page);
              await screenshot(page, `${name}-${screen}-${colorScheme}`);
              assert.deepEqual(await axeViolations(page), []);
            });
          },
          { options: { viewport, colorScheme }, ...(expected ? { expected } : {}) },
        ));
    }
  }
}

describe('somebody without agents', () => {
  before(() =>
    visit(async (page) => {
      await logIn(page);
      await deleteAllAgents(page);
    }),
  );

  onEveryScreen('finds accessible pages that fit', async (page, look) => {
    await page.goto(new Asking().address());
    await controls(page).newAgent.waitFor();
    await look('authorize-new');

    const { user_code } = await deviceCodes();
    await page.goto(`/device?user_code=${user_code}`);
    await controls(page).next.click();
    await controls(page).newAgent.waitFor();
    await look('device-confirm-new');
  });

  test('logs in on the way, is told of a name that will not do, and names another', () =>
    visit(
      async (page) => {
        const asking = new Asking();
        await page.goto(asking.address());
        await page.waitForURL('**/login?**');
        await page.getByText('to connect a client').waitFor();
        await screenshot(page, 'login-on-the-way');
        await page.getByLabel('Username').fill(account.username);
        await page.getByLabel('Password').fill(account.password);
        await page.keyboard.press('Enter');

        const { newAgent, allow } = controls(page);
        await newAgent.fill('No Good');
        await allow.click();
        assert.equal(
          await newAgent.evaluate((field) => /** @type {HTMLInputElement} */ (field).validity.valid),
          false,
        );

        // The browser knows the letters; whose name it is only the server does.
        await newAgent.fill(account.username);
        await allow.click();
        const alert = page.getByRole('alert');
        await alert.waitFor();
        const told = (await alert.textContent()) ?? '';
        assert.match(await page.title(), /^Error: /);
        assert.equal(await newAgent.inputValue(), account.username);
        assert.ok(await newAgent.evaluate((field) => field === document.activeElement));
        assert.ok((await newAgent.getAttribute('aria-describedby'))?.split(' ').includes('error'), told);
        await screenshot(page, 'authorize-new-error');
        assert.deepEqual(await axeViolations(page), []);

        await newAgent.fill('first-agent');
        await allow.click();
        const { code } = await asking.answer(page);
        assert.equal((await asking.exchange(code))['token_type'], 'Bearer');
        assert.ok((await page.request.get('/api/agents/first-agent')).ok());
      },
      { expected: new RegExp(`${LED_TO_CLIENT.source}|40[09] .*/oauth/authorize`) },
    ));
});

describe('somebody with agents', () => {
  before(() =>
    visit(async (page) => {
      await logIn(page);
      await post(page, '/api/agents', { name: 'builder' });
      await post(page, '/api/agents', { name: 'reviewer', display_name: 'Reviewer of pull requests' });
    }),
  );

  onEveryScreen('finds an accessible page that fits', async (page, look) => {
    await page.goto(new Asking().address());
    await page.getByRole('radio', { name: 'builder' }).check();
    await look('authorize');
  });

  onEveryScreen('sees all of a client that makes itself long', async (page, look) => {
    const { client_id } = await register(
      'The Extraordinarily Comprehensive Client for Absolutely Everything',
    );
    await page.goto(new Asking().address({ client_id }));
    await controls(page).allow.waitFor();
    await look('authorize-long');
  });

  test('chooses one and is led back with a code', () =>
    visit(
      async (page) => {
        await logIn(page);
        const asking = new Asking();
        await page.goto(asking.address());
        await page.getByText('Reviewer of pull requests').click();
        assert.ok(await page.getByRole('radio', { name: 'Reviewer' }).isChecked());
        await controls(page).allow.click();

        const { code, error } = await asking.answer(page);
        assert.equal(error, undefined);
        const { access_token } = await asking.exchange(code);
        const me = await fetch(`${serverOrigin()}/api/whoami`, {
          headers: { authorization: `Bearer ${access_token}` },
        });
        assert.match(await me.text(), /"reviewer"/);
      },
      { expected: LED_TO_CLIENT },
    ));

  test('a keyboard is enough', () =>
    visit(
      async (page) => {
        await logIn(page);
        const asking = new Asking();
        await page.goto(asking.address());
        await page.getByRole('radio', { name: 'builder' }).focus();
        await page.keyboard.press('Space');
        await page.keyboard.press('Enter');
        assert.ok((await asking.answer(page))['code']);
      },
      { expected: LED_TO_CLIENT },
    ));

  test('denies without choosing, and the client is told', () =>
    visit(
      async (page) => {
        await logIn(page);
        const asking = new Asking();
        await page.goto(asking.address());
        await controls(page).deny.click();
        const { code, error } = await asking.answer(page);
        assert.equal(code, undefined);
        assert.equal(error, 'access_denied');
      },
      { expected: LED_TO_CLIENT },
    ));

  test('JavaScript is not needed', () =>
    visit(
      async (page) => {
        await logIn(page);
        const asking = new Asking();
        await page.goto(asking.address());
        await page.getByRole('radio', { name: 'builder' }).check();
        await controls(page).allow.click();
        assert.ok((await asking.answer(page))['code']);
      },
      { options: { viewport: DESKTOP, javaScriptEnabled: false }, expected: LED_TO_CLIENT },
    ));

  test('can be somebody else on the way', () =>
    visit(async (page) => {
      await logIn(page);
      const address = new Asking().address();
      await page.goto(address);
      await page.getByRole('link', { name: 'Switch account' }).click();
      await page.getByLabel('Username').fill(account.username);
      await page.getByLabel('Password').fill(account.password);
      await page.keyboard.press('Enter');
      await controls(page).allow.waitFor();
      const query = (/** @type {string} */ text) => [...new URL(text, serverOrigin()).searchParams].sort();
      assert.deepEqual(query(page.url()), query(address));
    }));

  test('a request that cannot be met is told to the client, also after a login', () =>
    visit(
      async (page) => {
        const asking = new Asking();
        await page.goto(asking.address({ scope: 'everything' }));
        await page.getByLabel('Username').fill(account.username);
        await page.getByLabel('Password').fill(account.password);
        await page.keyboard.press('Enter');
        assert.equal((await asking.answer(page))['error'], 'invalid_scope');
      },
      { expected: LED_TO_CLIENT },
    ));

  onEveryScreen(
    'is told of a client that nobody knows, and is led nowhere',
    async (page, look) => {
      await page.goto(new Asking().address({ client_id: 'nobody' }));
      await page.getByRole('heading', { name: 'Request failed' }).waitFor();
      await look('authorize-unknown');
    },
    /40[04] .*\/oauth\/authorize/,
  );
});

describe('a device', () => {
  onEveryScreen(
    'is connected on pages that are accessible and fit',
    async (page, look) => {
      const { user_code = '', device_code = '' } = await deviceCodes();
      await page.goto('/device');
      await look('device');

      await controls(page).code.fill('BCDF-GHJK');
      await controls(page).next.click();
      await page.getByRole('alert').waitFor();
      assert.equal(await controls(page).code.inputValue(), 'BCDF-GHJK');
      await look('device-error');

      // People type what they see in any case and without the hyphen.
      await controls(page).code.fill(user_code.toLowerCase().replace('-', ''));
      await controls(page).next.click();
      await page.getByText(user_code).waitFor();
      await page.getByRole('radio', { name: 'builder' }).check();
      await look('device-confirm');
      await controls(page).allow.click();
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
      await look('device-connected');

      const tokens = await ask('/oauth/token', {
        grant_type: DEVICE_GRANT,
        device_code,
        client_id: clientId,
      });
      assert.equal(tokens['token_type'], 'Bearer');
    },
    /40[04] .*\/device/,
  );

  onEveryScreen('is refused', async (page, look) => {
    const { user_code, device_code = '' } = await deviceCodes();
    await page.goto(`/device?user_code=${user_code}`);
    assert.equal(await controls(page).code.inputValue(), user_code);
    await controls(page).next.click();
    await controls(page).deny.click();
    await page.getByRole('heading', { name: 'Denied' }).waitFor();
    await look('device-denied');

    const told = await ask('/oauth/token', { grant_type: DEVICE_GRANT, device_code, client_id: clientId });
    assert.equal(told['error'], 'access_denied');
  });

  test('that is opened by its address is found again after the login', () =>
    visit(async (page) => {
      const { user_code } = await deviceCodes();
      await page.goto(`/device?user_code=${user_code}`);
      await page.waitForURL('**/login?**');
      await page.getByLabel('Username').fill(account.username);
      await page.getByLabel('Password').fill(account.password);
      await page.keyboard.press('Enter');
      await controls(page).next.waitFor();
      assert.equal(await controls(page).code.inputValue(), user_code);
    }));
});
