/** What the components of one conversation share. */

import { createContext } from 'svelte';
import type { Pins } from '../pins/pins.svelte';
import type { Directory } from './directory.svelte';
import type { Editing } from './editing.svelte';
import type { Place } from './source';

export interface ConversationContext {
  readonly place: Place;
  readonly directory: Directory;
  /** Opens the thread of a message at the side. */
  readonly openThread: (id: number) => void;
  /** The address of a message. */
  readonly addressOf: (id: number) => string;
  /** The pinned messages, where messages are pinned. */
  readonly pins?: Pins | undefined;
  /** Whether I may pin the messages of this conversation. */
  readonly canPin?: (() => boolean) | undefined;
  /** Which message is being edited. */
  readonly editing: Editing;
  /** Begins to edit my last message; tells whether there is one. */
  readonly editLast: () => boolean;
}

export const [getConversation, setConversation] = createContext<ConversationContext>();

export function pathOf({ kind, name }: Place): string {
  return `/${kind === 'channel' ? 'c' : 'dm'}/${encodeURIComponent(name)}`;
}
