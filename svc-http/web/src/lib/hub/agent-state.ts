/** In one word, whether an agent works. */

import type { Agent } from '../api/client';

export interface AgentState {
  readonly word: 'active' | 'paused' | 'quarantined';
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
}

export function agentState(agent: Pick<Agent, 'paused_at' | 'quarantined_at'>): AgentState {
  if (agent.quarantined_at) return { word: 'quarantined', tone: 'bad', title: 'Quarantined' };
  if (agent.paused_at) return { word: 'paused', tone: 'warn', title: 'Paused' };
  return { word: 'active', tone: 'good', title: 'Active' };
}
