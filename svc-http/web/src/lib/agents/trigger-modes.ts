/** When the hub starts an agent, in words. */

import type { Schemas } from '../api/client';

export const triggerModes: Readonly<
  Record<Schemas['TriggerMode'], { title: string; short: string; text: string }>
> = {
  passive: {
    title: 'Passive',
    short: 'never: it looks for work itself',
    text: 'The hub never starts it. It runs on its own and looks for messages when it likes.',
  },
  reactive: {
    title: 'Reactive',
    short: 'when somebody writes to it or mentions it',
    text: 'A direct message or a mention starts a run, within the limits below.',
  },
  disabled: {
    title: 'Disabled',
    short: 'never: it is switched off',
    text: 'Nothing starts it, whatever arrives. Messages wait until it is switched on again.',
  },
};
