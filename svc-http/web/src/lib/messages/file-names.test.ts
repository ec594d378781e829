import { expect, test } from 'vitest';
import type { Message } from '../api/client';
import { isFilesOnly, namesOf } from './file-names';
import { message } from './sample';

const files = (...names: string[]) =>
  names.map((filename) => ({ filename, hash: 'a', size: 1 })) as unknown as Message['attachments'];

test('the names of files are code, also odd ones', () => {
  expect(namesOf(files('plan.pdf', '@ada `x`.png'))).toBe("`plan.pdf`\n`@ada 'x'.png`");
});

test('a message that was sent without text is told from one with words', () => {
  const attachments = files('plan.pdf', 'log.txt');
  expect(isFilesOnly(message(1, { body: namesOf(attachments), attachments }))).toBe(true);
  expect(isFilesOnly(message(1, { body: 'See `plan.pdf`', attachments }))).toBe(false);
  expect(isFilesOnly(message(1, { body: '', attachments: [] }))).toBe(false);
});
