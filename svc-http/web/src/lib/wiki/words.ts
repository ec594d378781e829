/** Words about articles. */

import { Problem } from '../api/problem';
import { asObject } from '../json/read';
import { dateOf } from '../time/local';
import type { EditConflict, WikiAction } from './types';

const ACTIONS: Readonly<Record<WikiAction, string>> = {
  created: 'Created',
  edited: 'Edited',
  merged: 'Merged',
  reverted: 'Reverted',
  configured: 'Settings changed',
  renamed: 'Renamed',
  deleted: 'Deleted',
  restored: 'Restored',
  verified: 'Verified',
};

export function actionInWords(action: WikiAction): string {
  return ACTIONS[action] ?? action;
}

/** `1 article`, `7 articles`. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `+120 bytes`, `−7 bytes`, `no change in size`. */
export function sizeChangeInWords(change: number): string {
  if (change === 0) return 'no change in size';
  const size = counted(Math.abs(change), 'byte', 'bytes');
  return `${change > 0 ? '+' : '−'}${size}`;
}

/** The day of a time, where the reader is. */
export function dayInWords(moment: string): string {
  return dateOf(new Date(moment));
}

/** The day of a time for a field that holds a day. */
export function dayOfTime(moment: string | null | undefined): string {
  return moment?.slice(0, 10) ?? '';
}

/** What was saved first, in the refusal of a save. */
export function conflictOf(thrown: unknown): EditConflict | undefined {
  if (!(thrown instanceof Problem) || thrown.code !== 'edit_conflict') return undefined;
  const conflict = asObject(thrown.members['conflict']);
  return conflict && typeof conflict['revision'] === 'number' && typeof conflict['body'] === 'string'
    ? (conflict as unknown as EditConflict)
    : undefined;
}
