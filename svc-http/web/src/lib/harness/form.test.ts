import { expect, test } from 'vitest';
import { BACKENDS, envProblem, formOf, harnessOf, promptProblem, remarkOn } from './form';

test('a harness goes through the form unchanged, with what the form does not know', () => {
  const harness = {
    backend: 'docker',
    image: 'agent:1',
    preset: 'claude',
    args: ['--model=large', '-v'],
    env: { A: '1', B: 'x=y' },
    timeout_seconds: 60,
    memory_mb: 512,
    prompt: '{{messages}}',
    reply: 'never',
    max_usd: 0.5,
    files: { 'docs/plan.md': 'x' },
    prices: { input: 3, output: 15 },
  };
  expect(harnessOf(formOf(harness), harness)).toEqual(harness);
});

test('an empty harness is a subprocess with the defaults', () => {
  expect(harnessOf(formOf({}), {})).toEqual({ backend: 'subprocess', timeout_seconds: 600, reply: 'auto' });
  expect(formOf(null).backend).toBe('subprocess');
});

test('what does not go with the backend is left out', () => {
  const form = { ...formOf({ preset: 'claude', command: 'a', args: ['b'], env: { C: 'd' } }) };
  form.backend = 'webhook';
  form.url = ' https://example.org/run ';
  expect(harnessOf(form, { preset: 'claude', command: 'a' })).toEqual({
    backend: 'webhook',
    url: 'https://example.org/run',
    timeout_seconds: 600,
    reply: 'auto',
  });
});

test('a Job in a cluster has an image, a command, arguments, memory and a time limit', () => {
  const form = {
    ...formOf({}),
    backend: 'k8s' as const,
    image: ' agent:1 ',
    command: 'run',
    args: '-v',
    memory: '512',
    timeout: '90',
  };
  expect(BACKENDS.map(({ value }) => value)).toContain('k8s');
  expect(harnessOf(form, {})).toEqual({
    backend: 'k8s',
    image: 'agent:1',
    command: 'run',
    args: ['-v'],
    memory_mb: 512,
    timeout_seconds: 90,
    reply: 'auto',
  });
});

test('inputs of numbers may hold numbers, or nothing', () => {
  const form = { ...formOf({}), timeout: 30, memory: null } as never;
  expect(harnessOf(form, {})).toEqual({ backend: 'subprocess', timeout_seconds: 30, reply: 'auto' });
});

test('variables are written NAME=value', () => {
  expect(envProblem('A=1\n\n B_2 = x=y')).toBeUndefined();
  expect(envProblem('A=1\n2B=x')).toContain('2B=x');
});

test('unknown placeholders are found, known ones may have spaces', () => {
  expect(promptProblem('{{ messages }} and {{request}}')).toBeUndefined();
  expect(promptProblem('{{secret}}')).toContain('{{secret}}');
});

test('a remark on a part of a field names the part', () => {
  const fields = [
    { field: 'harness.env.SVC_X', message: 'must not begin with SVC_' },
    { field: 'harness.timeout_seconds', message: 'must be 10 to 86400' },
  ];
  expect(remarkOn('env', fields)).toBe('SVC_X must not begin with SVC_.');
  expect(remarkOn('timeout_seconds', fields)).toBe('Must be 10 to 86400.');
  expect(remarkOn('command', fields)).toBeUndefined();
});
