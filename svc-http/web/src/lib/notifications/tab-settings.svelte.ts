/** What a person has set about notifications of open tabs. It is kept in this browser, for all of its tabs. */

import { asNumber, asObject } from '../json/read';

type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>;

interface Kept {
  readonly isOn: boolean;
  readonly hasSound: boolean;
  /** Until when nothing is shown, in milliseconds. */
  readonly pausedUntil: number | undefined;
}

const NOTHING: Kept = { isOn: false, hasSound: false, pausedUntil: undefined };

export class TabSettings {
  readonly #name: string;
  readonly #storage: () => SettingsStorage;
  #kept: Kept = $state.raw(NOTHING);

  /** `storage` is a function because merely naming `localStorage` throws where it is forbidden. */
  constructor(who: string, storage: () => SettingsStorage) {
    this.#name = `svc.tab-notifications.${who}`;
    this.#storage = storage;
    this.#kept = this.#read();
  }

  get isOn(): boolean {
    return this.#kept.isOn;
  }

  get hasSound(): boolean {
    return this.#kept.hasSound;
  }

  /** When a pause ends; nothing when there is none. */
  pausedUntil(now: Date): Date | undefined {
    const { pausedUntil } = this.#kept;
    return pausedUntil !== undefined && pausedUntil > now.getTime() ? new Date(pausedUntil) : undefined;
  }

  turn(isOn: boolean): void {
    this.#keep({ ...this.#kept, isOn });
  }

  turnSound(hasSound: boolean): void {
    this.#keep({ ...this.#kept, hasSound });
  }

  pause(until: Date): void {
    this.#keep({ ...this.#kept, pausedUntil: until.getTime() });
  }

  resume(): void {
    this.#keep({ ...this.#kept, pausedUntil: undefined });
  }

  /** Another tab has changed what is kept. */
  storedElsewhere({ key }: Pick<StorageEvent, 'key'>): void {
    if (key === null || key === this.#name) this.#kept = this.#read();
  }

  #read(): Kept {
    try {
      const fields = asObject(JSON.parse(this.#storage().getItem(this.#name) ?? '{}'));
      return {
        isOn: fields?.['on'] === true,
        hasSound: fields?.['sound'] === true,
        pausedUntil: asNumber(fields?.['pausedUntil']),
      };
    } catch {
      return NOTHING;
    }
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    const { isOn: on, hasSound: sound, pausedUntil } = kept;
    try {
      this.#storage().setItem(this.#name, JSON.stringify({ on, sound, pausedUntil }));
    } catch {
      // Without storage it holds for as long as the page.
    }
  }
}

let opened: { readonly who: string; readonly settings: TabSettings } | undefined;

/** Those of the person who is logged in. */
export function tabSettingsOf(who: string): TabSettings {
  if (opened?.who !== who) opened = { who, settings: new TabSettings(who, () => localStorage) };
  return opened.settings;
}
