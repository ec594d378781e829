import { expect, test } from 'vitest';
import { countOperations, filterGroups } from './filter';
import { readGroups } from './operations';
import { documentWith } from './sample';

const groups = readGroups(
  documentWith({
    paths: {
      '/api/messages': {
        get: { operationId: 'list', summary: 'List messages', tags: ['messages'] },
        post: { operationId: 'send', summary: 'Send a message', tags: ['messages'] },
      },
      '/api/wiki': { get: { operationId: 'map', summary: 'Map of pages', tags: ['wiki'] } },
    },
  }),
);

const anchors = (query: string) =>
  filterGroups(groups, query).flatMap(({ operations }) => operations.map(({ anchor }) => anchor));

test.each([
  ['', ['list', 'send', 'map']],
  ['  ', ['list', 'send', 'map']],
  ['post', ['send']],
  ['GET api', ['list', 'map']],
  ['Send a', ['send']],
  ['wiki', ['map']],
  ['message list', ['list']],
  ['nothing like it', []],
])('"%s" finds %j', (query, expected) => {
  expect(anchors(query)).toEqual(expected);
});

test('empty groups are left out', () => {
  expect(filterGroups(groups, 'wiki').map(({ tag }) => tag)).toEqual(['wiki']);
  expect(countOperations(filterGroups(groups, 'wiki'))).toBe(1);
});
