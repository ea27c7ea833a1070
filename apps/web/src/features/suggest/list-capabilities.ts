import { fold, type ListedAgent } from '@agent-registry/contracts';

/** Lists the capabilities that most agents have, in the spelling that comes first. */
export function listCapabilities(agents: Iterable<Pick<ListedAgent, 'capabilities'>>, count: number): string[] {
  const found = new Map<string, { name: string; agents: number }>();
  for (const { capabilities } of agents) {
    for (const [key, name] of new Map(capabilities.map((capability) => [fold(capability), capability]))) {
      const entry = found.get(key) ?? { name, agents: 0 };
      found.set(key, { ...entry, agents: entry.agents + 1 });
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.agents - a.agents)
    .slice(0, count)
    .map(({ name }) => name);
}
