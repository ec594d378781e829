/**
 * One person on two hubs with the same content, through the two backends: on the store beside the running server, and
 * through its URL. Every key is pressed on both, and both have to show the same.
 */

import assert from 'node:assert/strict';
import { fill } from './content.mjs';
import { Hub, program } from './hub.mjs';
import { eventually, Home, Terminal } from './terminal.mjs';

/** A side of the pair. */
export class Side {
  /** @param {'data' | 'url'} backend @param {Hub} hub @param {Awaited<ReturnType<typeof fill>>} content */
  constructor(backend, hub, content) {
    this.backend = backend;
    this.hub = hub;
    this.content = content;
    this.home = new Home();
  }

  /** The command that starts the UI on this side. @param {string[]} words */
  command(...words) {
    const place = this.backend === 'data' ? ['--data', this.hub.data] : ['--url', this.hub.origin];
    return [program(), ...place, ...words];
  }

  async close() {
    this.home.remove();
    await this.hub.stop();
  }
}

/** Two hubs with the same content. @returns {Promise<Side[]>} */
export async function makeSides() {
  const backends = /** @type {const} */ (['data', 'url']);
  return Promise.all(
    backends.map(async (backend) => {
      const hub = await Hub.start();
      return new Side(backend, hub, await fill(hub));
    }),
  );
}

/**
 * The text of a screen without what differs between two hubs: times, the location of the hub, spaces that fill up
 * columns, and the last line, which has notes that come and go.
 *
 * @param {string} screen
 */
export function comparable(screen) {
  const lines = screen.split('\n').slice(0, -1);
  return lines
    .map((line) =>
      line
        .replace(/(Hub) {2}\S.*?( *│)/, '$1  LOCATION │')
        .replace(/╰ (\/\S*|127\.0\.0\.1:\d+) ─*╯/, '╰ LOCATION ╯')
        .replace(/\b\d\d:\d\d(:\d\d)?\b/g, 'TIME')
        .replace(/\b(now|\d+ (s|ms|min|h|d)( \d+ s)?)(?= |,|$|│)/g, 'AGO')
        .replace(/\b\d+(\.\d+)? m?s\b/g, 'AGO')
        .replace(/ +/g, ' ')
        .replace(/─+/g, '─')
        .trimEnd(),
    )
    .join('\n');
}

/** Both terminals of the person. What is called here happens on both. */
export class Pair {
  /** @param {Side[]} sides @param {Terminal[]} terminals */
  constructor(sides, terminals) {
    this.sides = sides;
    this.terminals = terminals;
  }

  /**
   * Starts the UI on both sides.
   *
   * @param {Side[]} sides
   * @param {{ columns?: number, rows?: number, words?: string[], env?: (side: Side) => Record<string, string> }} [options]
   */
  static async start(sides, { columns, rows, words = [], env = () => ({}) } = {}) {
    const terminals = await Promise.all(
      sides.map((side) =>
        Terminal.start(side.command(...words), {
          ...(columns && rows ? { columns, rows } : {}),
          env: { ...side.home.variables, ...env(side) },
        }),
      ),
    );
    return new Pair(sides, terminals);
  }

  /** @template T @param {(terminal: Terminal, side: Side) => Promise<T>} step */
  each(step) {
    const step_of = (/** @type {Terminal} */ terminal, /** @type {number} */ index) => {
      const side = this.sides[index];
      assert.ok(side);
      return step(terminal, side).catch((error) => {
        error.message = `${side.backend}: ${error.message}`;
        throw error;
      });
    };
    return Promise.all(this.terminals.map(step_of));
  }

  /** @param {string[]} names */
  keys(...names) {
    return this.each((terminal) => terminal.keys(...names));
  }

  /** @param {string} text */
  type(text) {
    return this.each((terminal) => terminal.type(text));
  }

  /** @param {(string | RegExp)[]} texts */
  shows(...texts) {
    return this.each((terminal) => terminal.shows(...texts));
  }

  /** @param {string | RegExp} text */
  hides(text) {
    return this.each((terminal) => terminal.hides(text));
  }

  ended() {
    return this.each((terminal) => terminal.ended());
  }

  close() {
    return this.each((terminal) => terminal.close());
  }

  /** Waits until both show the same. @param {string} what */
  async same(what) {
    /** @type {string[]} */
    let screens = [];
    await eventually(
      async () => {
        screens = (await this.each((terminal) => terminal.screen())).map(comparable);
        return screens[0] === screens[1] && !screens[0]?.includes('Loading …');
      },
      () => {
        assert.equal(screens[0], screens[1], `${what}: the two backends show different things`);
        return `${what} is still loading`;
      },
    );
  }

  /** Logs the person in with the form, where no login is kept. */
  async logIn() {
    await this.each(async (terminal, { hub }) => {
      if (!(await terminal.shows(/● live|Username/)).includes('Username')) return;
      await terminal.type(hub.username);
      await terminal.keys('Tab');
      await terminal.type(hub.password);
      await terminal.keys('Enter');
    });
    await this.live();
  }

  /** Waits until the UI is there, follows what happens, and knows the conversations, which the palette offers. */
  async live() {
    await this.shows('● live');
    await this.keys('g', 'c');
    await this.shows('#general', 'join or write');
    await this.keys('Tab');
    await this.hides('join or write');
  }

  /** Opens what the palette finds for a text. @param {string} text */
  async open(text) {
    await this.keys('C-k');
    await this.shows('╭ Go to ─');
    await this.type(text);
    await this.shows(new RegExp(`Go to.*\\n.*│${text}`));
    await this.keys('Enter');
  }

  /** Moves down until a text is in the selected row. @param {string} text */
  async select(text) {
    await this.each(async (terminal) => {
      for (let row = 0; row < 40; row += 1) {
        if (selected(await terminal.colours()).includes(text)) return;
        const before = await terminal.colours();
        await terminal.keys('j');
        await eventually(
          async () => (await terminal.colours()) !== before,
          async () => `nothing more to select than this, but not “${text}”:\n${await terminal.screen()}`,
        );
      }
      assert.fail(`“${text}” cannot be selected:\n${await terminal.screen()}`);
    });
  }
}

/** The text that is shown reversed: the selection. @param {string} colours */
export function selected(colours) {
  let found = '';
  let reversed = false;
  for (const part of colours.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (reversed) found += part;
      continue;
    }
    for (const code of codes.split(';')) {
      if (code === '7') reversed = true;
      if (code === '' || code === '0' || code === '27') reversed = false;
    }
  }
  return found;
}
