import { expect, test } from 'vitest';
import { emptyForm, handlerOf, isComplete, rowProblem, timeProblem } from './form';

test('empty fields are left out', () => {
  const form = { ...emptyForm(), image: ' agent:1 ' };
  expect(handlerOf(form)).toEqual({ image: 'agent:1', events: ['message.received', 'message.mentioned'] });
});

test('everything that is set is sent, numbers as numbers', () => {
  const form = {
    ...emptyForm(),
    image: 'agent:1',
    events: ['*' as const],
    namespace: ' agents ',
    memory: '512Mi',
    cpu: '500m',
    // An input of numbers binds a number.
    timeout: 90 as never,
    account: 'runner',
    env: [
      { key: 1, name: ' MODEL ', value: ' large ' },
      { key: 2, name: '', value: '' },
    ],
  };
  expect(handlerOf(form)).toEqual({
    image: 'agent:1',
    events: ['*'],
    namespace: 'agents',
    memory: '512Mi',
    cpu: '500m',
    timeout_seconds: 90,
    service_account: 'runner',
    env: { MODEL: ' large ' },
  });
});

test('a variable needs a name that no other has', () => {
  const env = [
    { key: 1, name: 'A', value: '1' },
    { key: 2, name: 'A ', value: '2' },
    { key: 3, name: '', value: '3' },
    { key: 4, name: '', value: '' },
  ];
  const found = env.map((row) => rowProblem(env, row));
  expect(found).toEqual([undefined, 'A is there twice.', 'Enter a name.', undefined]);
  expect(isComplete({ ...emptyForm(), env })).toBe(false);
  expect(isComplete({ ...emptyForm(), env: env.slice(0, 1) })).toBe(true);
});

test('a form without events, or with half a second, is not sent', () => {
  expect(isComplete({ ...emptyForm(), events: [] })).toBe(false);
  expect(isComplete({ ...emptyForm(), timeout: '90.5' })).toBe(false);
  expect([timeProblem(''), timeProblem(null), timeProblem(90)]).toEqual([undefined, undefined, undefined]);
  expect(timeProblem('-1')).toContain('whole number');
});
