import { agentStates, type AgentState } from '@agent-registry/contracts';
import type { Inputs } from './api.ts';

/** What a search looks for: the conditions as typed, the states, and entries that were picked. */
export type Filters = Inputs['agents']['search'] & { states: AgentState[] };

/** The conditions that are texts, by their parameters in the address. */
const textFilters = ['text', 'host', 'email', 'since', 'hiddenAt', 'category'] as const;

/** Reads the filters of an address; all states by default. */
export function readFilters(params: URLSearchParams): Filters {
  const states = agentStates.filter((state) => params.getAll('state').includes(state));
  const texts = textFilters.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(texts), states: states.length > 0 ? states : [...agentStates] };
}

/** The parameters of an address with these filters. */
export function toParams({ states, ...filters }: Filters): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of textFilters) if (filters[name]) params.set(name, filters[name]);
  if (states.length < agentStates.length) for (const state of states) params.append('state', state);
  return params;
}
