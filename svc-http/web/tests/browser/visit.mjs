/** Opens pages of a running server in Chromium and notes everything that must not happen there. */

import { mkdtemp, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const CHROMIUM_OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The address of the server under test, from the environment. */
export function serverOrigin() {
  const address = process.env['SVC_URL'];
  if (!address || !URL.canParse(address)) {
    console.error('SVC_URL must be the address of a running server, for example http://127.0.0.1:8080');
    process.exit(1);
  }
  return new URL(address).origin;
}

export function launch() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM_OPTIONS });
}

/** The folder for screenshots. */
export async function artifactsFolder() {
  const wanted = process.env['SVC_ARTIFACTS'];
  if (!wanted) return mkdtemp(path.join(tmpdir(), 'svc-web-'));
  await mkdir(wanted, { recursive: true });
  return wanted;
}

/**
 * A page in a context of its own. `complaints` gathers console errors, exceptions, violations of the
 * content security policy and requests that leave the server.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} options
 */
export async function newVisit(browser, options = {}) {
  const origin = serverOrigin();
  // A service worker would stand between the page and what a journey puts in place of the server.
  const context = await browser.newContext({ baseURL: origin, serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  /** @type {string[]} */
  const complaints = [];

  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAnswerOfThePage(message, page)) {
      complaints.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`request to ${url.href}`);
  });
  await page.exposeBinding('complainOfPolicy', (_source, /** @type {string} */ text) => {
    complaints.push(`policy: ${text}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const complain = /** @type {(text: string) => void} */ (Reflect.get(window, 'complainOfPolicy'));
      complain(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { page, complaints, close: () => context.close() };
}

/**
 * Chromium writes an error to the console when the document itself is a 404, and when the server says
 * that nobody is logged in. For a page that tells either this is right.
 *
 * @param {import('playwright-core').ConsoleMessage} message
 * @param {import('playwright-core').Page} page
 */
function isAnswerOfThePage(message, page) {
  const { url } = message.location();
  const isMissing = message.text().includes('404') && url === page.url();
  const isNobody = message.text().includes('401') && url === `${serverOrigin()}/auth/me`;
  return isMissing || isNobody;
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong, one line each. The script is evaluated by the debugger, which the content
 * security policy does not hold back.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function axeViolations(page) {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const axe = /** @type {typeof import('axe-core')} */ (Reflect.get(window, 'axe'));
    const { violations } = await axe.run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  });
}
