import { expect, test } from 'vitest';
import { browserTimeZone, timeZones, usualQuietHours } from './time-zones';

test('the zones of the browser are offered, each once, with those in use', () => {
  const zones = timeZones(browserTimeZone(), 'Europe/Berlin', 'Mars/Olympus_Mons').map(({ value }) => value);
  expect(zones).toContain('Europe/Berlin');
  expect(zones).toContain('Mars/Olympus_Mons');
  expect(zones).toContain('UTC');
  expect(new Set(zones).size).toBe(zones.length);
  expect(timeZones('Mars/Olympus_Mons').find(({ value }) => value.startsWith('Mars'))?.title).toBe(
    'Mars/Olympus Mons',
  );
});

test('quiet hours begin with the night where the browser is', () => {
  expect(usualQuietHours()).toEqual({ start: '22:00', end: '07:00', time_zone: browserTimeZone() });
});
