/** Backups of the hub (`/api/admin/backups`), in words. */

import type { Schemas } from '../api/client';
import { ageInWords } from './report';

export type Backups = Schemas['BackupOverview'];
export type Backup = Schemas['BackupRecord'];
export type Schedule = Schemas['BackupSchedule'];

/** How many the page shows; `svc-admin backup list` shows all. */
const SHOWN = 10;
/** A unit is used where the interval is a multiple of it. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** What became of a backup. */
export type Outcome = 'kept' | 'removed' | 'taken' | 'failed';

/** Whether the archive is kept, was removed by the schedule, was taken by a command, or was never made. */
export function outcomeOf({ error, removed_at, name }: Backup): Outcome {
  if (error != null) return 'failed';
  if (removed_at != null) return 'removed';
  return name == null ? 'taken' : 'kept';
}

/** The newest ones. */
export function newest(backups: readonly Backup[]): readonly Backup[] {
  return backups.slice(0, SHOWN);
}

/** `every day`, `every 6 hours`, `every 10 minutes`. */
export function intervalInWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? [
    'second',
    1,
  ];
  const count = seconds / length;
  return count === 1 ? `every ${unit}` : `every ${count.toLocaleString('en')} ${unit}s`;
}

/** How long it took. */
export function durationOf({ started_at, ended_at }: Backup): string {
  return ageInWords(Math.max(0, (Date.parse(ended_at) - Date.parse(started_at)) / 1_000));
}
