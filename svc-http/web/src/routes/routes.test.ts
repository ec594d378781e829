import { expect, test } from 'vitest';
import { matchPattern } from '../lib/router/pattern';
import { pages } from './routes';

test.each(['/login', '/device', '/oauth/authorize', '/auth/me', '/openapi.json', '/metrics'])(
  'no page takes %s from the server',
  (address) => {
    expect(Object.keys(pages)).toContain('/docs');
    const takers = Object.keys(pages).filter((pattern) => matchPattern(pattern, address));
    expect(takers).toEqual([]);
  },
);
