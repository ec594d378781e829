/** The state of the API reference: the fetched document, the filter, and what is unfolded. */

import { SvelteSet } from 'svelte/reactivity';
import { OpenApiDocument } from './document';
import { countOperations, filterGroups } from './filter';
import { readGroups, type OperationGroup } from './operations';

export class ApiReference {
  readonly #fetch: typeof fetch;

  document: OpenApiDocument | undefined = $state.raw();
  groups: readonly OperationGroup[] = $state.raw([]);
  /** Why there is no document; nothing while loading and after success. */
  failure: string | undefined = $state();
  query: string = $state('');
  /** Anchors of the unfolded operations. */
  readonly open: SvelteSet<string> = new SvelteSet();

  readonly shown: readonly OperationGroup[] = $derived(filterGroups(this.groups, this.query));
  readonly shownCount: number = $derived(countOperations(this.shown));
  readonly count: number = $derived(countOperations(this.groups));

  constructor(fetchFrom: typeof fetch) {
    this.#fetch = fetchFrom;
  }

  /** Fetches the document; a second call after a failure tries again. */
  async load(): Promise<void> {
    this.failure = undefined;
    try {
      const response = await this.#fetch('/openapi.json');
      if (!response.ok) throw new Failure(`The server returned status ${response.status}.`);
      const document = OpenApiDocument.read(await response.json().catch(() => undefined));
      if (!document) throw new Failure('The server did not return an OpenAPI document.');
      this.groups = readGroups(document);
      this.document = document;
    } catch (error) {
      this.failure = error instanceof Failure ? error.message : 'The server is not responding.';
    }
  }

  toggle(anchor: string): void {
    if (!this.open.delete(anchor)) this.open.add(anchor);
  }

  /** Unfolds the operation that a link names and makes sure that the filter does not hide it. */
  reveal(anchor: string): void {
    if (!holds(this.groups, anchor)) return;
    if (!holds(this.shown, anchor)) this.query = '';
    this.open.add(anchor);
  }

  openAll(): void {
    for (const group of this.shown) for (const { anchor } of group.operations) this.open.add(anchor);
  }

  closeAll(): void {
    this.open.clear();
  }
}

/** A failure whose message is written for the person at the screen. */
class Failure extends Error {}

function holds(groups: readonly OperationGroup[], anchor: string): boolean {
  return groups.some(({ operations }) => operations.some((operation) => operation.anchor === anchor));
}
