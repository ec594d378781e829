/** Files on their way to the server, each with its progress. */

import type { Schemas } from '../api/client';
import { reasonOf } from '../api/problem';
import { plainName } from '../messages/plain';

export type StoredFile = Schemas['Attachment'];

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** From 0 to 1. */
  readonly progress: number;
  readonly state: 'uploading' | 'stored' | 'failed';
  readonly reason: string | undefined;
  readonly stored: StoredFile | undefined;
}

/** Sends one file; `signal` gives it up. */
export type SendFile = (
  file: File,
  progress: (share: number) => void,
  signal: AbortSignal,
) => Promise<StoredFile>;

export const MOST_FILES = 20;
export const LARGEST_FILE = 50 * 1024 * 1024;

export class Uploads {
  readonly #send: SendFile;
  readonly #arrived: () => void;
  readonly #running = new Map<number, AbortController>();
  readonly #files = new Map<number, File>();
  #next = 1;

  all: readonly Upload[] = $state.raw([]);

  /** `arrived` is called whenever a file has, also when nobody looks any more. */
  constructor(send: SendFile, arrived: () => void = () => undefined) {
    this.#send = send;
    this.#arrived = arrived;
  }

  // Not derived state: that would end with the component that was there when this was made.
  get stored(): readonly StoredFile[] {
    return this.all.flatMap(({ stored }) => stored ?? []);
  }

  get isBusy(): boolean {
    return this.all.some(({ state }) => state === 'uploading');
  }

  get hasFailed(): boolean {
    return this.all.some(({ state }) => state === 'failed');
  }

  get areTooMany(): boolean {
    return this.all.length > MOST_FILES;
  }

  /** Takes over the files that are on the server already, as from a draft; what has not arrived stays. */
  restore(files: readonly StoredFile[]): void {
    this.all = this.all.filter(({ state }) => state !== 'stored');
    this.append(files);
  }

  /** The same, beside those that are here. */
  append(files: readonly StoredFile[]): void {
    const here = new Set(this.stored.map(({ hash }) => hash));
    const others = files.filter(({ hash }) => !here.has(hash));
    const more = others.map((stored) => ({
      id: this.#next++,
      name: plainName(stored.filename),
      size: stored.size,
      progress: 1,
      state: 'stored' as const,
      reason: undefined,
      stored,
    }));
    this.all = [...this.all, ...more];
  }

  /** Sends files. The result is what could not even be begun, in a sentence. */
  add(files: readonly File[]): string | undefined {
    const room = MOST_FILES - this.all.length;
    for (const file of files.slice(0, room)) {
      const id = this.#next++;
      this.#files.set(id, file);
      this.all = [
        ...this.all,
        {
          id,
          name: plainName(file.name),
          size: file.size,
          progress: 0,
          state: 'uploading',
          reason: undefined,
          stored: undefined,
        },
      ];
      void this.#run(id, file);
    }
    return files.length > room ? `A message can have at most ${MOST_FILES} files.` : undefined;
  }

  /** Tries a failed one again. */
  retry(id: number): void {
    const file = this.#files.get(id);
    if (file) void this.#run(id, file);
  }

  /** Takes one out, and gives up sending it. */
  remove(id: number): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
    this.#files.delete(id);
    this.all = this.all.filter((upload) => upload.id !== id);
  }

  /** Takes all out without giving anything up: they belong to a message now. */
  clear(): void {
    for (const { id } of this.all) this.remove(id);
  }

  async #run(id: number, file: File): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    this.#change(id, { state: 'uploading', progress: 0, reason: undefined });
    try {
      if (file.size > LARGEST_FILE) throw new TooLarge();
      const stored = await this.#send(file, (progress) => this.#change(id, { progress }), running.signal);
      this.#change(id, { state: 'stored', progress: 1, stored });
      this.#files.delete(id);
      this.#arrived();
    } catch (error) {
      const reason =
        error instanceof TooLarge ? 'The file is larger than the limit of 50 MiB.' : reasonOf(error);
      this.#change(id, { state: 'failed', reason });
    } finally {
      this.#running.delete(id);
    }
  }

  #change(id: number, changes: Partial<Upload>): void {
    this.all = this.all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload));
  }
}

class TooLarge extends Error {}
