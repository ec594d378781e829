/** When the hub starts an agent, in words. */

import type { Schemas } from '../api/client';

export const triggerModes: Readonly<
  Record<Schemas['TriggerMode'], { title: string; short: string; text: string }>
> = {
  passive: {
    title: 'Passive',
    short: 'Never; it polls for messages',
    text: 'The hub does not start it. It runs on its own and polls for messages.',
  },
  reactive: {
    title: 'Reactive',
    short: 'On direct messages and mentions',
    text: 'A direct message or a mention starts a run, within the limits below.',
  },
  disabled: {
    title: 'Disabled',
    short: 'Never; disabled',
    text: 'The hub does not start it. Messages stay pending until you choose another mode.',
  },
};
