/** Texts from others, for places where only plain text of one line makes sense. */

/** Marks that turn the direction of text around: with them `exe.txt` can be drawn for `txt.exe`. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A file name as it is, without what would make it look like another one. */
export function plainName(name: string): string {
  return name.replaceAll(TURNING, '').replaceAll(CONTROL, ' ').trim() || 'file';
}

/** A message in one line, without its Markdown. */
export { oneLine as preview } from '../home/one-line';
