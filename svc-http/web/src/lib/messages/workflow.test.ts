import { expect, test } from 'vitest';
import { message } from './sample';
import { countReactions, hasWorkflow, moveTo, STATES, type ReactionKind } from './workflow';

const react = (...reactions: [string, ReactionKind][]) =>
  message(1, {
    reactions: reactions.map(([by, reaction]) => ({
      by,
      by_kind: 'human',
      reaction,
      metadata: {},
      created_at: '2026-03-01T12:00:00.000Z',
    })),
  });

test('reactions are gathered by kind, and mine are marked', () => {
  const { reactions } = react(['eve', 'done'], ['eve', 'approve'], ['ada', 'approve']);
  expect(countReactions(reactions, 'ada')).toEqual([
    { kind: 'approve', by: ['eve', 'ada'], mine: true },
    { kind: 'done', by: ['eve'], mine: false },
  ]);
});

test('forward is one reaction more', () => {
  expect(moveTo(react(['ada', 'approve']), 'done', 'ada')).toEqual({ remove: [], add: 'done' });
});

test('back takes away what of mine would outweigh it', () => {
  expect(moveTo(react(['ada', 'approve'], ['ada', 'done']), 'approved', 'ada')).toEqual({
    remove: ['done'],
    add: undefined,
  });
  expect(moveTo(react(['ada', 'approve'], ['ada', 'published']), 'proposed', 'ada')).toEqual({
    remove: ['approve', 'published'],
    add: undefined,
  });
});

test('what others have said is not mine to take back', () => {
  expect(moveTo(react(['eve', 'done']), 'approved', 'ada')).toEqual({ remove: [], add: 'approve' });
});

test('a message is in a workflow by its channel or by its state', () => {
  expect(hasWorkflow({ workflow_state: undefined }, { workflow_enabled: true })).toBe(true);
  expect(hasWorkflow({ workflow_state: 'proposed' }, undefined)).toBe(true);
  expect(hasWorkflow({ workflow_state: undefined }, { workflow_enabled: false })).toBe(false);
  expect(hasWorkflow({ workflow_state: undefined }, undefined)).toBe(false);
});

test('the board goes from what is proposed to what is published, and what was rejected stands apart', () => {
  expect(STATES.map(({ word }) => word)).toEqual(
    'proposed approved in_progress done published rejected'.split(' '),
  );
  expect(STATES.filter(({ isFinished }) => isFinished).map(({ word }) => word)).toEqual(
    'done published rejected'.split(' '),
  );
});
