import { expect, test } from 'vitest';
import { withHandles } from './handles';

test.each([
  ['ann, @Reviewer', ['zoe', 'ann', 'reviewer']],
  [' zoe ,, zoe', ['zoe']],
  ['', ['zoe']],
])('%j comes on top, each once', (typed, expected) => {
  expect(withHandles(['zoe'], typed)).toEqual(expected);
});
