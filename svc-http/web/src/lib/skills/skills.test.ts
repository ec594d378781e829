import { expect, test } from 'vitest';
import { withoutHead } from './skills';

test('the head is left out, and lines further down stay', () => {
  expect(withoutHead('---\nname: a\ndescription: b\n---\n\n# Title\n\n---\n\nEnd')).toBe(
    '# Title\n\n---\n\nEnd',
  );
  expect(withoutHead('# Title\n---\nx\n---\n')).toBe('# Title\n---\nx\n---\n');
});
