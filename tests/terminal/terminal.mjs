/**
 * A program in a real terminal: a pane of tmux, on a tmux server of its own. Keys go in, the screen comes out, as text
 * or with its colours. Nothing waits for a time: the screen is read until it shows what is expected.
 */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A bound that only a failure reaches, in milliseconds. */
const PATIENCE = Number(process.env['SVC_TERMINAL_PATIENCE'] ?? 60_000);
/** The pause between two looks at the screen, in milliseconds. */
const LOOK_AGAIN = 40;
/** Screens and copied texts are smaller. */
const OUTPUT_MAX = 16 * 1024 * 1024;

/** A dead pane stays, so that its exit code and its last screen can be read. */
const CONFIGURATION = `
set -g status off
set -g remain-on-exit on
set -g remain-on-exit-format ''
set -g history-limit 1000
set -s escape-time 0
set -s set-clipboard on
set -g allow-rename off
`;

let count = 0;

/** Sockets of tmux servers that run: they do not outlive this process, however it ends. @type {Set<string>} */
const open = new Set();
process.once('exit', () => open.forEach((socket) => spawnSync('tmux', ['-L', socket, 'kill-server'])));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

/**
 * Looks until there is an answer.
 *
 * @template T
 * @param {() => Promise<T | undefined | false> | T | undefined | false} look
 * @param {() => Promise<string> | string} complaint what to say when there is none in time
 * @returns {Promise<T>}
 */
export async function eventually(look, complaint) {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) assert.fail(await complaint());
    await pause(LOOK_AGAIN);
  }
}

/** A home directory in which nothing is kept yet; `variables` make a program use it. */
export class Home {
  constructor() {
    this.directory = mkdtempSync(path.join(tmpdir(), 'svc-home-'));
    this.variables = {
      HOME: this.directory,
      XDG_CONFIG_HOME: path.join(this.directory, 'config'),
      XDG_STATE_HOME: path.join(this.directory, 'state'),
      XDG_DATA_HOME: path.join(this.directory, 'share'),
      XDG_CACHE_HOME: path.join(this.directory, 'cache'),
    };
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export class Terminal {
  /** @param {string} socket @param {string} directory */
  constructor(socket, directory) {
    this.socket = socket;
    this.directory = directory;
  }

  /**
   * Starts a program. Its environment has nothing but `PATH`, the terminal, the language, the time zone and `env`.
   *
   * @param {string[]} argv
   * @param {{ columns?: number, rows?: number, env?: Record<string, string> }} [options]
   */
  static async start(argv, { columns = 80, rows = 24, env = {} } = {}) {
    count += 1;
    const directory = mkdtempSync(path.join(tmpdir(), 'svc-terminal-'));
    const file = path.join(directory, 'tmux.conf');
    writeFileSync(file, CONFIGURATION);
    const terminal = new Terminal(`svc-test-${process.pid}-${count}`, directory);
    const surroundings = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      TERM: 'screen-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ...env,
    };
    open.add(terminal.socket);
    const variables = Object.entries(surroundings).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', String(columns), '-y', String(rows)];
    try {
      await terminal.#tmux(
        '-f',
        file,
        'new-session',
        '-d',
        '-s',
        'test',
        ...size,
        'env',
        '-i',
        ...variables,
        ...argv,
      );
    } catch (error) {
      await terminal.close();
      throw error;
    }
    return terminal;
  }

  /** @param {string[]} words */
  async #tmux(...words) {
    // A semicolon at the end of a word would begin another command.
    const escaped = words.map((word) => word.replace(/;$/, '\\;'));
    const { stdout } = await run('tmux', ['-u', '-L', this.socket, ...escaped], { maxBuffer: OUTPUT_MAX });
    return stdout;
  }

  /** Presses keys, by the names that tmux has for them: `j`, `Enter`, `Escape`, `C-k`, `M-Enter`. @param {string[]} names */
  async keys(...names) {
    await this.#tmux('send-keys', '-t', 'test', '--', ...names);
  }

  /** Types a text as it is, key by key. @param {string} text */
  async type(text) {
    await this.#tmux('send-keys', '-t', 'test', '-l', '--', text);
  }

  /** Pastes a text, marked as pasted if the program asked for that. @param {string} text */
  async paste(text) {
    const file = path.join(this.directory, 'pasted');
    writeFileSync(file, text);
    await this.#tmux('load-buffer', '-b', 'pasted', file);
    // Without -r, tmux would turn the ends of lines into carriage returns.
    await this.#tmux('paste-buffer', '-p', '-r', '-d', '-b', 'pasted', '-t', 'test');
  }

  /** The lines of the screen. */
  async lines() {
    return (await this.screen()).split('\n');
  }

  /** The screen as text. */
  async screen() {
    return (await this.#tmux('capture-pane', '-p', '-t', 'test')).replace(/\n$/, '');
  }

  /** The screen with control sequences for its colours and styles. */
  async colours() {
    return (await this.#tmux('capture-pane', '-p', '-e', '-N', '-t', 'test')).replace(/\n$/, '');
  }

  /** A fact that tmux knows, such as `pane_title`, `alternate_on`, `mouse_any_flag`. @param {string} name */
  async fact(name) {
    return (await this.#tmux('display-message', '-p', '-t', 'test', `#{${name}}`)).trimEnd();
  }

  /** The texts that programs have copied, one line each. */
  async copied() {
    return this.#tmux('list-buffers', '-F', '#{buffer_sample}');
  }

  /**
   * Waits until the screen is as expected, and returns it.
   *
   * @param {(screen: string) => boolean} expected
   * @param {string} [what]
   */
  async until(expected, what = expected.toString()) {
    let screen = '';
    return eventually(
      async () => {
        screen = await this.screen();
        return expected(screen) && screen;
      },
      () => `the screen is never as expected (${what}):\n${screen}`,
    );
  }

  /** Waits until all of these texts are on the screen. @param {(string | RegExp)[]} texts */
  async shows(...texts) {
    const has = (/** @type {string} */ screen) => (/** @type {string | RegExp} */ text) =>
      typeof text === 'string' ? screen.includes(text) : text.test(screen);
    return this.until((screen) => texts.every(has(screen)), `shows ${texts.join(' and ')}`);
  }

  /** Waits until this text is not on the screen any more. @param {string | RegExp} text */
  async hides(text) {
    const has = (/** @type {string} */ screen) =>
      typeof text === 'string' ? screen.includes(text) : text.test(screen);
    return this.until((screen) => !has(screen), `does not show ${text}`);
  }

  /** @param {number} columns @param {number} rows */
  async resize(columns, rows) {
    await this.#tmux('resize-window', '-t', 'test', '-x', String(columns), '-y', String(rows));
  }

  /** The process in the pane. */
  async pid() {
    return Number(await this.fact('pane_pid'));
  }

  /** Sends a signal to the process in the pane. @param {NodeJS.Signals} signal */
  async kill(signal) {
    process.kill(await this.pid(), signal);
  }

  /** Waits for the end of the program, and returns its exit code. */
  async ended() {
    await eventually(
      async () => (await this.fact('pane_dead')) === '1',
      async () => `the program does not end:\n${await this.screen()}`,
    );
    return Number(await this.fact('pane_dead_status'));
  }

  /** Ends the terminal with everything in it. */
  async close() {
    // Fails if it never began.
    await this.#tmux('kill-server').catch(() => undefined);
    open.delete(this.socket);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
