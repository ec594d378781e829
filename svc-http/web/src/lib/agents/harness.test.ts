import { expect, test } from 'vitest';
import { harnessProblem } from './harness';

test('an object is fine', () => expect(harnessProblem('{"backend": "mock"}')).toBeUndefined());
test.each(['', '{', "{'a': 1}"])('%s is no JSON', (text) =>
  expect(harnessProblem(text)).toMatch(/Invalid JSON/),
);
test.each(['[]', 'null', '1', '"a"'])('%s is no object', (text) => {
  expect(harnessProblem(text)).toMatch(/JSON object/);
});
