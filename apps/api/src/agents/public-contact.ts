import type { Agent, ListedAgent } from '@agent-registry/contracts';
import type { AgentStore } from './agent-store.ts';

/** Where clients find the contact addresses: everywhere, or on the page of an agent and in the call that reads it. */
export type PublicContact = 'everywhere' | 'page';

/** Removes the contact addresses from a store's lists and searches; single agents keep theirs. */
export function withoutListedContacts(store: AgentStore): AgentStore<ListedAgent> {
  return {
    ...store,
    list: async (request) => withoutContacts(await store.list(request)),
    async *stream(request) {
      for await (const agents of store.stream(request)) yield withoutContacts(agents);
    },
    async page(request) {
      const page = await store.page(request);
      return page && { ...page, agents: withoutContacts(page.agents) };
    },
    findAll: async (ids) => withoutContacts(await store.findAll(ids)),
    async latest(request) {
      const { latest, isProvisional } = await store.latest(request);
      return {
        latest: latest.map(({ agent, changedAt }) => ({ agent: withoutContact(agent), changedAt })),
        isProvisional,
      };
    },
    async search(request) {
      const found = await store.search(request);
      return found && { ...found, agents: withoutContacts(found.agents) };
    },
  };
}

/** Removes the contact addresses of agents. */
export function withoutContacts(agents: readonly Agent[]): ListedAgent[] {
  return agents.map(withoutContact);
}

function withoutContact(agent: Agent): ListedAgent {
  return { ...agent, contactEmail: null };
}
