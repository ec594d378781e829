import { expect, test } from 'vitest';
import { fullName, shownName } from './names';

test.each([
  ['Build bot', 'Build bot'],
  ['  Ada   Lovelace ', 'Ada Lovelace'],
  ['', 'bot'],
  [undefined, 'bot'],
  [null, 'bot'],
  // Turned around, hidden, ended and tagged.
  ['\u202Enimda', 'nimda'],
  ['ad\u200Bmin\u2060\uFEFF', 'admin'],
  ['ad\u00ADmin\u2066\u2069', 'admin'],
  ['admin\n\u2028says', 'adminsays'],
  ['admin\u{E0041}\u{E007F}', 'admin'],
  ['\u200B\u3164\u202E', 'bot'],
  // What scripts and pictures are made of stays.
  ['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  ['\u{1F469}\u200D\u{1F680}', '\u{1F469}\u200D\u{1F680}'],
])('%j is shown as %j', (displayName, shown) => expect(shownName(displayName, 'bot')).toBe(shown));

test('the handle stands beside the name, unless it is the name', () => {
  expect(fullName('Build bot', 'bot')).toBe('Build bot @bot');
  expect(fullName('admin', 'mallory')).toBe('admin @mallory');
  expect(fullName('bot', 'bot')).toBe('bot');
  expect(fullName('\u200Bbot', 'bot')).toBe('bot');
});
