import { expect, test } from 'vitest';
import { isName, NAME_RULES, nameFrom } from './name-rules';

test.each(['ab', 'reviewer', '0x', 'a_b-c', 'a'.repeat(63)])('%s is a name', (name) => {
  expect(isName(name)).toBe(true);
});

test.each(['', 'a', 'Reviewer', '-ab', '_ab', 'a b', 'é1', 'a'.repeat(64)])('%s is no name', (name) => {
  expect(isName(name)).toBe(false);
});

test('each rule can be broken on its own', () => {
  const broken = (name: string) => NAME_RULES.map(({ holds }) => holds(name));
  expect(broken('a')).toEqual([false, true, true]);
  expect(broken('aB')).toEqual([true, false, true]);
  expect(broken('-a')).toEqual([true, true, false]);
});

test.each([
  ['Code Reviewer', 'code-reviewer'],
  ['  Éva’s bot! ', 'eva-s-bot'],
  ['日本', ''],
  ['_x_', 'x_'],
  ['x'.repeat(80), 'x'.repeat(63)],
])('%s becomes %s', (title, name) => expect(nameFrom(title)).toBe(name));
