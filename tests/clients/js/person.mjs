/**
 * Somebody in front of a browser without scripts: keeps cookies, goes where pages lead, and answers the
 * forms that are really on them. A form that a person could not send is not sent here either.
 */

import { parse } from 'node-html-parser';

const REDIRECTS_MOST = 10;

/** @typedef {import('node-html-parser').HTMLElement} Element */

/** A page as it was received. */
export class Page {
  /** @param {URL} address @param {Response} response @param {string} html */
  constructor(address, response, html) {
    this.address = address;
    this.status = response.status;
    this.headers = response.headers;
    this.document = parse(html);
  }

  get text() {
    return this.document.textContent.replace(/\s+/g, ' ').trim();
  }

  /** @returns {Element} */
  get form() {
    const form = this.document.querySelector('form');
    if (form === null) throw new Error(`no form on ${this}`);
    return form;
  }

  asksFor(/** @type {string} */ name) {
    return this.document.querySelector(`form [name="${name}"]`) !== null;
  }

  toString() {
    return `${this.address.pathname} (${this.status}): ${this.text}`;
  }
}

export class Person {
  #origin;
  #account;
  /** @type {Map<string, string>} */
  #cookies = new Map();

  /** @param {string} origin @param {{ username: string, password: string }} account */
  constructor(origin, account) {
    this.#origin = new URL(origin).origin;
    this.#account = account;
  }

  /**
   * Opens an address that somebody else gave, and logs in if that is asked.
   * @param {string | URL} address
   * @returns {Promise<Page | URL>} the page, or the address of another site that it led to
   */
  async open(address) {
    // That is what a browser says about a link on another site, and the strictest that it can say.
    const place = await this.#go(new URL(address), {
      method: 'GET',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    if (!(place instanceof Page) || !place.asksFor('password')) return place;
    return this.submit(place, this.#account, 'Log in');
  }

  /**
   * Answers what a client asks, and says where the browser was sent with the answer.
   * @param {string | URL} address
   * @param {{ agent?: string, press?: string }} answer
   */
  async answer(address, { agent, press = 'Allow' }) {
    let place = await this.open(address);
    if (place instanceof Page) place = await this.submit(place, agent === undefined ? {} : { agent }, press);
    if (place instanceof Page) throw new Error(`the browser stayed on ${place}`);
    return place;
  }

  /**
   * Types the code that a device shows.
   * @param {string | URL} address
   * @param {{ code?: string, agent?: string, press?: string }} answer
   */
  async connectDevice(address, { code, agent, press = 'Allow' }) {
    let place = await this.open(address);
    if (place instanceof Page && place.asksFor('user_code') && !place.asksFor('agent')) {
      place = await this.submit(place, code === undefined ? {} : { user_code: code }, 'Continue');
    }
    if (!(place instanceof Page)) throw new Error(`the browser was sent to ${place}`);
    if (!place.asksFor('agent')) return place;
    return this.submit(place, agent === undefined ? {} : { agent }, press);
  }

  /**
   * Fills in the form of a page and presses a button.
   * @param {Page} page
   * @param {Record<string, string>} values
   * @param {string} press the words on the button
   */
  async submit(page, values, press) {
    const { form } = page;
    const button = form.querySelectorAll('button').find((one) => one.textContent.trim() === press);
    if (button === undefined) throw new Error(`no button "${press}" on ${page}`);
    const body = filledIn(page, values, button.hasAttribute('formnovalidate'));
    const name = button.getAttribute('name');
    if (name !== undefined) body.append(name, button.getAttribute('value') ?? '');
    const target = new URL(form.getAttribute('action') ?? page.address, page.address);
    return this.#go(target, {
      method: form.getAttribute('method')?.toUpperCase() ?? 'GET',
      headers: { origin: page.address.origin, referer: page.address.href, 'sec-fetch-site': 'same-origin' },
      body,
    });
  }

  /** @param {URL} address @param {RequestInit & { headers: Record<string, string> }} request */
  async #go(address, request) {
    for (let steps = 0; steps < REDIRECTS_MOST; steps += 1) {
      if (address.origin !== this.#origin) return address;
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...request.headers, accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
      const response = await fetch(address, { ...request, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return new Page(address, response, await response.text());
      await response.body?.cancel();
      address = new URL(location, address);
      if (response.status !== 307 && response.status !== 308) {
        request = {
          method: 'GET',
          headers: { 'sec-fetch-site': request.headers['sec-fetch-site'] ?? 'none' },
        };
      }
    }
    throw new Error(`led around in circles, last to ${address}`);
  }
}

/**
 * What a browser would send for a form.
 * @param {Page} page
 * @param {Record<string, string>} values
 * @param {boolean} unchecked whether what is required may be missing
 */
function filledIn(page, values, unchecked) {
  const body = new URLSearchParams();
  /** @type {Set<string>} */
  const required = new Set();
  for (const input of page.form.querySelectorAll('input')) {
    const name = input.getAttribute('name');
    if (name === undefined || input.hasAttribute('disabled')) continue;
    if (input.hasAttribute('required')) required.add(name);
    const type = input.getAttribute('type') ?? 'text';
    const written = input.getAttribute('value') ?? '';
    if (type === 'radio' || type === 'checkbox') {
      const chosen = name in values ? values[name] === written : input.hasAttribute('checked');
      if (chosen) body.append(name, written);
    } else {
      body.append(name, type === 'hidden' ? written : (values[name] ?? written));
    }
  }
  const unanswered = Object.keys(values).filter((name) => body.get(name) !== values[name]);
  const missing = unchecked ? [] : [...required].filter((name) => !body.get(name));
  if (unanswered.length + missing.length > 0) {
    throw new Error(`cannot send ${[...unanswered, ...missing]} on ${page}`);
  }
  return body;
}
