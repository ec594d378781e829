/** Commands with their keys: one registry for the keyboard, the palette and the help. */

import { untrack } from 'svelte';

/** How long the second key of a sequence such as `g c` may take. */
const SEQUENCE_MILLISECONDS = 1_500;

export interface Command {
  /** `?`, `j`, `g c` (one after the other) or `mod+k` (Ctrl, or Cmd on a Mac). None: only in the palette. */
  readonly keys?: string;
  readonly title: string;
  /** Under which heading the help shows it. */
  readonly group?: string;
  /** Whether the palette offers it; moves such as `j` make no sense there. */
  readonly palette?: boolean;
  readonly run: () => void;
}

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'isComposing' | 'preventDefault' | 'target'
>;

export class Shortcuts {
  /** Newest first: a page may give a key another meaning while it is open. */
  commands: readonly Command[] = $state.raw([]);
  #first: { key: string; until: number } | undefined;

  /** Adds commands until the result is called: `$effect(() => shortcuts.add(…))`. */
  add(...commands: Command[]): () => void {
    // Whoever adds in an effect does not depend on what others have added.
    this.commands = [...commands, ...untrack(() => this.commands)];
    return () => {
      this.commands = untrack(() => this.commands).filter((command) => !commands.includes(command));
    };
  }

  /** Runs what a key stands for. */
  press(event: KeyPress): void {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const typing = isTyping(event.target);
    if (typing && !isCommand) return;

    const key = isCommand ? `mod+${event.key.toLowerCase()}` : event.key;
    const first = this.#first !== undefined && this.#first.until > Date.now() ? this.#first.key : undefined;
    this.#first = undefined;
    const command = (first === undefined ? undefined : this.#find(`${first} ${key}`)) ?? this.#find(key);
    if (command) {
      event.preventDefault();
      command.run();
    } else if (this.commands.some(({ keys }) => keys?.startsWith(`${key} `))) {
      this.#first = { key, until: Date.now() + SEQUENCE_MILLISECONDS };
    }
  }

  /** Does what a key would do, for a button that stands for it. */
  run(keys: string): void {
    this.#find(keys)?.run();
  }

  #find(keys: string): Command | undefined {
    return this.commands.find((command) => command.keys === keys);
  }
}

/** Whether keys go into a text, or to a control that knows them itself. */
function isTyping(target: EventTarget | null): boolean {
  if (typeof Element === 'undefined' || !(target instanceof Element)) return false;
  return (
    target.closest('input, textarea, select, [contenteditable], dialog[open], [popover]:popover-open') !==
    null
  );
}

/** The keys as people read them. */
export function keyNames(keys: string, isMac: boolean): string[] {
  return keys
    .split(' ')
    .map((key) =>
      key.replace(/^mod\+/, isMac ? '⌘ ' : 'Ctrl ').replace(/(^| )([a-z])$/, (text) => text.toUpperCase()),
    );
}

/** Moves the focus to the next or previous element marked `data-item` in the page, or into view to begin with. */
export function moveAmongItems(step: 1 | -1, root: ParentNode = document): void {
  const items = itemsIn(root);
  const current = items.findIndex((item) => item.contains(document.activeElement));
  const next = current < 0 ? beginsAt(step, items.map(withinView)) : current + step;
  items[Math.max(0, Math.min(items.length - 1, next))]?.focus();
}

/** The item that has the focus, or the last one in view. */
export function currentItem(root: ParentNode = document): HTMLElement | undefined {
  const items = itemsIn(root);
  return (
    items.find((item) => item.contains(document.activeElement)) ?? items[beginsAt(-1, items.map(withinView))]
  );
}

function itemsIn(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('main [data-item]')].filter(
    (item) => item.getClientRects().length > 0,
  );
}

/** Where an item lies: its edges, and those of the part of the page in which it can be seen. */
export interface Lie {
  readonly top: number;
  readonly bottom: number;
  readonly viewTop: number;
  readonly viewBottom: number;
}

/** The position of the first or last item in view: one that is whole if there is one. */
export function beginsAt(step: 1 | -1, lies: readonly Lie[]): number {
  const find = (fits: (lie: Lie) => boolean) => (step > 0 ? lies.findIndex(fits) : lies.findLastIndex(fits));
  // Browsers round edges each in its own way.
  const whole = find((lie) => lie.top >= lie.viewTop - 1 && lie.bottom <= lie.viewBottom + 1);
  if (whole >= 0) return whole;
  const part = find((lie) => lie.bottom > lie.viewTop && lie.top < lie.viewBottom);
  if (part >= 0) return part;
  return step > 0 ? 0 : lies.length - 1;
}

function withinView(item: HTMLElement): Lie {
  const { top, bottom } = item.getBoundingClientRect();
  const bar = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  let [viewTop, viewBottom] = [bar, innerHeight];
  for (let box = item.parentElement; box && box !== document.body; box = box.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(box).overflowY)) continue;
    const edges = box.getBoundingClientRect();
    [viewTop, viewBottom] = [Math.max(0, edges.top), Math.min(viewBottom, edges.bottom)];
    break;
  }
  return { top, bottom, viewTop, viewBottom };
}
