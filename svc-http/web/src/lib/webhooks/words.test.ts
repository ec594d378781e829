import { expect, test } from 'vitest';
import {
  disabledInWords,
  durationOf,
  errorInWords,
  eventsInWords,
  formatted,
  healthInWords,
  isOpen,
  resultInWords,
  statusInWords,
  type DeliveryStatus,
} from './words';

const attempts = (...outcomes: boolean[]) => outcomes.map((ok) => ({ ok }));

test('events are named by their titles, and a star is all of them', () => {
  expect(eventsInWords(['message.received', 'channel.message'])).toBe('Direct messages, Channel messages');
  expect(eventsInWords(['*'])).toBe('All events');
});

test('an event, a status or an error of a newer server is shown as it is', () => {
  expect(eventsInWords(['file.added' as 'goal.changed'])).toBe('file.added');
  expect(statusInWords('paused' as DeliveryStatus)).toEqual({ title: 'paused', tone: 'plain' });
  expect(errorInWords('too_large')).toEqual({ title: 'too_large', text: '' });
});

test('the bar has a text that counts the failures', () => {
  expect(healthInWords([])).toBe('No attempts yet');
  expect(healthInWords(attempts(true))).toBe('The only attempt succeeded');
  expect(healthInWords(attempts(true, true))).toBe('All of the last 2 attempts succeeded');
  expect(healthInWords(attempts(true, false, true))).toBe('1 of the last 3 attempts failed');
  expect(healthInWords(attempts(false, false))).toBe('All of the last 2 attempts failed');
});

test('a result is the status, or why there was none', () => {
  expect(resultInWords({ status: 204, error: null })).toBe('HTTP 204');
  expect(resultInWords({ status: 500, error: 'status' })).toBe('HTTP 500');
  expect(resultInWords({ status: null, error: 'timeout' })).toBe('Timed out');
  // The status came, and then the connection broke.
  expect(resultInWords({ status: 200, error: 'protocol' })).toBe('Invalid response');
});

test('a disabled webhook says why', () => {
  expect(disabledInWords({ enabled: true, disabled_reason: null })).toBeUndefined();
  expect(disabledInWords({ enabled: false, disabled_reason: 'gone' })).toContain('410');
  expect(disabledInWords({ enabled: false, disabled_reason: 'failures' })).toContain('failed attempts');
  expect(disabledInWords({ enabled: false, disabled_reason: 'request' })).toContain('until you enable');
});

test('durations have a unit that suits them', () => {
  expect([durationOf(35), durationOf(999), durationOf(10_020)]).toEqual(['35 ms', '999 ms', '10.0 s']);
});

test('deliveries are open until they have ended', () => {
  const all: DeliveryStatus[] = ['pending', 'delivering', 'retrying', 'delivered', 'dead', 'stopped'];
  expect(all.filter(isOpen)).toEqual(['pending', 'delivering', 'retrying']);
});

test('bodies are laid out when they are JSON', () => {
  expect(formatted('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(formatted('not {json')).toBe('not {json');
});
