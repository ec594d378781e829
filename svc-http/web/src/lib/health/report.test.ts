import { describe, expect, test } from 'vitest';
import {
  ageInWords,
  byUrgency,
  checkTitle,
  headline,
  newestVersion,
  pieces,
  stateOf,
  type Finding,
  type FindingState,
} from './report';

const found = (...states: FindingState[]): Finding[] =>
  states.map((state, index) => ({ check: `part_${index}`, state, summary: 'It is so.' }));

test('what does not work comes first, and the order of the hub holds otherwise', () => {
  const findings = found('ok', 'warning', 'problem', 'ok', 'problem');
  expect(byUrgency(findings).map(({ check }) => check)).toEqual([
    'part_2',
    'part_4',
    'part_1',
    'part_0',
    'part_3',
  ]);
  expect(findings[0]?.check).toBe('part_0');
});

describe('headline', () => {
  test.each<[FindingState, FindingState[], string, string]>([
    ['ok', ['ok', 'ok'], 'Everything works', 'All 2 checks are fine.'],
    ['warning', ['ok', 'warning'], '1 thing to look at', 'The hub works.'],
    ['warning', ['warning', 'warning'], '2 things to look at', 'The hub works.'],
    ['problem', ['problem'], '1 problem', 'A part of the hub does not work.'],
    [
      'problem',
      ['problem', 'problem', 'warning'],
      '2 problems',
      'A part of the hub does not work. There is also 1 thing to look at.',
    ],
  ])('%s of %j', (state, states, title, text) => {
    expect(headline({ state, findings: found(...states) })).toEqual({ title, text });
  });
});

test('commands in a text are told apart', () => {
  expect(pieces('Run `svc-admin db check` now.')).toEqual([
    { text: 'Run ', isCode: false },
    { text: 'svc-admin db check', isCode: true },
    { text: ' now.', isCode: false },
  ]);
  expect(pieces('`store`')).toEqual([{ text: 'store', isCode: true }]);
  expect(pieces('A lone ` stays.')).toEqual([{ text: 'A lone ` stays.', isCode: false }]);
});

test('the newest version is found by number, and a release comes after its candidates', () => {
  const newest = (...versions: string[]) => newestVersion(versions.map((version) => ({ version })));
  expect(newest('0.9.0', '0.10.0', '0.2.0')).toBe('0.10.0');
  expect(newest('1.2.0', '1.2.0-rc.1')).toBe('1.2.0');
  expect(newest('1.2.0-rc.10', '1.2.0-rc.9')).toBe('1.2.0-rc.10');
  expect(newest()).toBeUndefined();
});

test.each([
  [0, 'less than a second'],
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [7_199, '119 minutes'],
  [7_200, '2 hours'],
  [3 * 86_400, '3 days'],
])('%i seconds are %s', (seconds, words) => {
  expect(ageInWords(seconds)).toBe(words);
});

test('parts have names for people, also those that are new here', () => {
  expect(checkTitle('disk')).toBe('Free space');
  expect(checkTitle('dead_letters')).toBe('Dead letters');
  expect(checkTitle('moon_phase')).toBe('Moon phase');
});

test('a part that the hub does not name has no state', () => {
  expect(stateOf({ findings: found('warning') }, 'part_0')).toBe('warning');
  expect(stateOf({ findings: found('warning') }, 'disk')).toBeUndefined();
});
