import { cutText, fold, MAX_SEARCH_LENGTH, nameWebsite, type Agent, type AgentState } from '@agent-registry/contracts';
import { readBySeqs, toAgent } from '../db/records.ts';
import type { OperatorStore } from '../operator/operator-store.ts';
import type { Engine } from '../db/engine.ts';

/** How many related agents of a kind are named. */
const MAX_NAMED = 5;

/** What entries have in common: the host of the website or the account on it, the contact email, or the description. */
type Bond = 'host' | 'email' | 'text';

/** An agent that is related to another one. */
type RelatedAgent = { id: string; name: string; state: AgentState };

/**
 * Finds what is related to a version of an agent: of all states what it has something in common with, each time their
 * number and some of them, latest first, and what the search finds alike. Reads all agents once.
 */
export async function findRelated(engine: Engine, store: OperatorStore, agent: Agent) {
  const related = { host: nothing(), email: nothing(), text: nothing() };
  const bondsWith = createBonds(agent);
  for await (const { agent: other, state } of store.stream()) {
    for (const bond of bondsWith(other)) {
      related[bond].total += 1;
      // Agents come in the order in which they were stored.
      related[bond].agents = [toRelated(other, state), ...related[bond].agents].slice(0, MAX_NAMED);
    }
  }
  return { ...related, alike: await findAlike(engine, agent) };
}

function createBonds(agent: Agent): (other: Agent) => Bond[] {
  const keys = toKeys(agent);
  return (other) => {
    if (other.id === agent.id) return [];
    const others = toKeys(other);
    return (['host', 'email', 'text'] as const).filter((bond) => keys[bond] !== '' && keys[bond] === others[bond]);
  };
}

function toKeys({ website, contactEmail, description }: Agent): Record<Bond, string> {
  return { host: toHostKey(website), email: contactEmail.toLowerCase(), text: fold(description) };
}

/** The host of a website; on one whose pages belong to many people, with the account. */
function toHostKey(website: string | null): string {
  const site = nameWebsite(website);
  return site && !site.isGallery ? site.name.toLowerCase() : '';
}

/** The listed agents that a search for the name and the capabilities finds. */
async function findAlike({ db, search }: Engine, { id, name, capabilities }: Agent): Promise<RelatedAgent[]> {
  // Without the signs that have a meaning in a search text.
  const words = [name, ...capabilities].join(' ').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  const text = cutText(words.trim(), MAX_SEARCH_LENGTH);
  const hits = text === '' ? undefined : await search({ text, limit: MAX_NAMED + 1 });
  return (await readBySeqs(db, hits?.seqs ?? []))
    .map(toAgent)
    .filter((other) => other.id !== id)
    .slice(0, MAX_NAMED)
    .map((other) => toRelated(other, 'listed'));
}

function nothing(): { total: number; agents: RelatedAgent[] } {
  return { total: 0, agents: [] };
}

function toRelated({ id, name }: Agent, state: AgentState): RelatedAgent {
  return { id, name, state };
}
