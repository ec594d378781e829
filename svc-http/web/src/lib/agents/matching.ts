/** Which agents a filter leaves. */

import type { Agent } from '../api/client';
import { agentState } from '../hub/agent-state';

/** Those whose names contain every word, in the given state; any state when it is empty. */
export function matching<Named extends Pick<Agent, 'name' | 'display_name' | 'paused_at' | 'quarantined_at'>>(
  agents: readonly Named[],
  words: string,
  state: string,
): readonly Named[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter((agent) => {
    const names = `${agent.name} ${agent.display_name}`.toLowerCase();
    return wanted.every((word) => names.includes(word)) && (state === '' || agentState(agent).word === state);
  });
}
