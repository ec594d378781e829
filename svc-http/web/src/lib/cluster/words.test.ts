import { expect, test } from 'vitest';
import { jobName, limitsInWords, timeInWords } from './words';

test('limits are those that are set, and always the time', () => {
  expect(limitsInWords({ memory: '512Mi', cpu: '500m', timeout_seconds: 600 })).toBe(
    '512Mi memory, 500m CPU, 10 min time limit',
  );
  expect(limitsInWords({ memory: null, timeout_seconds: 90 })).toBe('90 s time limit');
});

test('times have a unit that suits them', () => {
  expect([61, 60, 3_000, 3_600].map(timeInWords)).toEqual(['61 s', '1 min', '50 min', '1 h']);
});

test('a Job is named with its namespace, once it is created', () => {
  expect(jobName({ namespace: 'agents', job: 'svc-bot-7' })).toBe('agents/svc-bot-7');
  expect(jobName({ namespace: null, job: 'svc-bot-7' })).toBe('svc-bot-7');
  expect(jobName({ namespace: 'agents', job: null })).toBeUndefined();
});
