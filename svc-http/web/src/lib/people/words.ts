/** Words for the state of an agent. */

import type { Schemas } from '../api/client';

export const STATES: Readonly<
  Record<Schemas['AgentState'], { readonly title: string; readonly tone: 'good' | 'warn' | 'bad' }>
> = {
  active: { title: 'Active', tone: 'good' },
  paused: { title: 'Paused', tone: 'warn' },
  quarantined: { title: 'Quarantined', tone: 'bad' },
};
