/** A message that is files only. The server takes no message without text, so the names of the files are its text. */

import type { Message } from '../api/client';
import { plainName } from './plain';

/** As code, so that nothing in a name mentions somebody or becomes a link. */
export function namesOf(files: readonly { readonly filename: string }[]): string {
  return files.map(({ filename }) => `\`${plainName(filename).replaceAll('`', "'")}\``).join('\n');
}

/** Whether the text of a message tells nothing but what its files show already. */
export function isFilesOnly({ body, attachments }: Pick<Message, 'body' | 'attachments'>): boolean {
  return attachments.length > 0 && body.trim() === namesOf(attachments);
}
