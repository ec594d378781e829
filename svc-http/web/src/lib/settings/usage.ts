/** What an account has used of what it may use, in words and as a share. */

import type { Schemas } from '../api/client';
import { binarySize } from '../messages/size';

export interface Use {
  readonly title: string;
  /** `1.2 MiB of 10 GiB`. */
  readonly text: string;
  /** From 0 to 1; nothing without a limit. */
  readonly share: number | undefined;
  readonly tone: 'accent' | 'warn' | 'bad';
}

const NEARLY_FULL = 0.8;

export function usesOf({ files, messages }: Schemas['Usage']): readonly Use[] {
  return [
    use('Files', files.used_bytes, files.limit_bytes, binarySize, ''),
    use('Messages', messages.used, messages.limit, counted, ` in the last ${windowInWords(messages.window)}`),
  ];
}

function use(
  title: string,
  used: number,
  limit: number | null | undefined,
  words: (amount: number) => string,
  when: string,
): Use {
  if (limit == null)
    return { title, text: `${words(used)}${when}, no limit`, share: undefined, tone: 'accent' };
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  const tone = used >= limit ? 'bad' : share >= NEARLY_FULL ? 'warn' : 'accent';
  return { title, text: `${words(used)} of ${words(limit)}${when}`, share, tone };
}

function counted(count: number): string {
  return count.toLocaleString('en');
}

/** `24 hours` for `24h`; anything else as the server wrote it. */
function windowInWords(window: string): string {
  const hours = /^(\d+)h$/.exec(window)?.[1];
  return hours === undefined ? window : `${hours} ${hours === '1' ? 'hour' : 'hours'}`;
}
