/** How much of each conversation a person is notified of: the levels, their defaults, and changes to the settings. */

import type { ConversationLevel, Level, Settings, SettingsUpdate } from '../push/api';

export type ConversationKind = ConversationLevel['kind'];

export const LEVELS: readonly { readonly level: Level; readonly title: string; readonly hint: string }[] = [
  { level: 'all', title: 'All messages', hint: 'Notify me of every message' },
  { level: 'mentions', title: 'Mentions only', hint: 'Notify me when I am mentioned' },
  { level: 'nothing', title: 'Nothing (muted)', hint: 'No notifications and no counts' },
];

export function levelTitle(level: Level): string {
  return LEVELS.find((known) => known.level === level)?.title ?? level;
}

export function defaultLevel(kind: ConversationKind): Level {
  return kind === 'channel' ? 'mentions' : 'all';
}

export function levelOf(
  conversations: readonly ConversationLevel[],
  kind: ConversationKind,
  name: string,
): Level {
  const found = conversations.find((one) => one.kind === kind && one.name === name);
  return found?.level ?? defaultLevel(kind);
}

/** The settings after a change, as the server will tell them. */
export function withUpdate(settings: Settings, update: SettingsUpdate): Settings {
  const changed = update.conversations ?? [];
  const isChanged = (one: ConversationLevel) =>
    changed.some(({ kind, name }) => kind === one.kind && name === one.name);
  return {
    kinds: { ...settings.kinds, ...update.kinds },
    quiet_hours: update.quiet_hours === undefined ? settings.quiet_hours : update.quiet_hours,
    conversations: [
      ...settings.conversations.filter((one) => !isChanged(one)),
      ...changed.filter(({ kind, level }) => level !== defaultLevel(kind)),
    ],
  };
}

/** A list with what is muted at its end. */
export function mutedLast<Entry>(entries: readonly Entry[], isMuted: (entry: Entry) => boolean): Entry[] {
  return [...entries.filter((entry) => !isMuted(entry)), ...entries.filter(isMuted)];
}
