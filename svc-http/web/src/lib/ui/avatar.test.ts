import { expect, test } from 'vitest';
import { hueOf, initials } from './avatar';

test.each([
  ['Ada Lovelace', 'AL'],
  ['build-bot', 'BB'],
  ['ops', 'O'],
  ['a b c', 'AC'],
  ['', '?'],
  ['🦊 fox', '🦊F'],
])('%s is drawn as %s', (name, letters) => expect(initials(name)).toBe(letters));

test('a name keeps its hue, whatever its case', () => {
  expect(hueOf('Ada')).toBe(hueOf('ada'));
  expect(hueOf('ada')).not.toBe(hueOf('eve'));
  expect(hueOf('ada')).toBeLessThan(360);
});
