/** A place in the browser for a few named values. */

export interface Database {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  clear(): Promise<void>;
}

const NAME = 'svc-kept';
const STORE = 'kept';

/** In IndexedDB. Where it is missing or forbidden everything fails, which whoever asks has to expect. */
export class IndexedDatabase implements Database {
  #opening: Promise<IDBDatabase> | undefined;

  async get(key: string): Promise<unknown> {
    return settled((await this.#store('readonly')).get(key));
  }

  async put(key: string, value: unknown): Promise<void> {
    await settled((await this.#store('readwrite')).put(value, key));
  }

  async delete(key: string): Promise<void> {
    await settled((await this.#store('readwrite')).delete(key));
  }

  async clear(): Promise<void> {
    await settled((await this.#store('readwrite')).clear());
  }

  async #store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.#opening ??= open();
    return (await this.#opening).transaction(STORE, mode).objectStore(STORE);
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return settled(request);
}

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database failed'));
  });
}
