import { expect, test } from 'vitest';
import { isAppleMobile, supportInWords, supportOf, type Surroundings } from './support';

const DESKTOP: Surroundings = {
  isSecureContext: true,
  hasPush: true,
  permission: 'default',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36',
  touchPoints: 0,
  isInstalled: false,
};
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1';
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15';

test.each([
  ['ready', {}],
  ['ready', { permission: 'granted' }],
  ['denied', { permission: 'denied' }],
  ['insecure', { isSecureContext: false, hasPush: false }],
  ['missing', { hasPush: false }],
  ['not installed', { hasPush: false, userAgent: IPHONE, touchPoints: 5 }],
  ['not installed', { hasPush: false, userAgent: IPAD, touchPoints: 5 }],
  ['missing', { hasPush: false, userAgent: IPAD, touchPoints: 0 }],
  ['missing', { hasPush: false, userAgent: IPHONE, touchPoints: 5, isInstalled: true }],
  ['ready', { userAgent: IPHONE, touchPoints: 5, isInstalled: true }],
] as const)('it is %s with %j', (support, changes) => {
  expect(supportOf({ ...DESKTOP, ...changes })).toBe(support);
});

test('every obstacle has a remedy', () => {
  for (const support of ['insecure', 'not installed', 'missing', 'denied'] as const) {
    expect(supportInWords(support).text).toMatch(/\.$/);
  }
  expect(isAppleMobile({ userAgent: DESKTOP.userAgent, touchPoints: 5 })).toBe(false);
});
