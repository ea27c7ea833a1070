import { fold, isSharedHost, type OperatorField, parseText } from '@agent-registry/contracts';
import { toSite } from '../hosts.ts';
import type { StoredTexts } from './agent-tokens.ts';
import { ranking } from './ranking.ts';
import type { Scored } from './score.ts';

/** First parts of paths on shared hosts that name no account. */
const SECTIONS = new Set(
  'agent agents app apps c channel channels collections company datasets document e g gpts hub in invite mcp models p package packages project r search server servers share spaces store tools u user view watch'.split(
    ' ',
  ),
);

type Owned = Pick<Scored, 'agent' | 'nameRank'>;

/**
 * Lets at most `ranking.maxOfOwner` agents of one owner stand among the first ones; its others follow these. A search for an
 * owner, or for names, keeps its order.
 */
export function spreadOwners<Agent extends Owned>(agents: readonly Agent[], { text }: { text: string }) {
  const { firstResults } = ranking;
  const { conditions } = parseText(text);
  const has = (name: OperatorField) => conditions.some(({ field }) => field === name);
  if (has('by') || has('name')) return agents;
  // Mostly a few agents more than the first ones are looked at.
  for (let end = 2 * firstResults; agents.length > firstResults; end *= 2) {
    const tooMany = findTooMany(agents.slice(0, end), text);
    const left = agents.slice(0, end).filter((agent) => !tooMany.has(agent));
    if (left.length < firstResults && end < agents.length) continue;
    // The agent that others shall be like stays the last.
    if (left.length < firstResults && has('like')) return agents;
    const first = new Set(left.slice(0, firstResults));
    return [...first, ...agents.filter((agent) => !first.has(agent))];
  }
  return agents;
}

/** Whether agents are of so few owners that others would have to stand among the first ones. */
export function areOfFewOwners(agents: readonly StoredTexts[], text: string): boolean {
  const owned = agents.map((agent): Owned => ({ agent, nameRank: 0 }));
  return owned.length - findTooMany(owned, text).size < ranking.firstResults;
}

/**
 * The agents of an owner beside those that may stand among the first ones. Copies do not displace the agent that they copy:
 * of a description, the oldest agent may stand there, and of a site, agents with a proof of it.
 */
function findTooMany<Agent extends Owned>(agents: readonly Agent[], text: string): ReadonlySet<Agent> {
  const words = new Set(fold(text).match(/[\p{L}\p{N}]+/gu));
  const named = agents[0]?.nameRank === 3 ? agents[0] : undefined;
  const sites = new Map(agents.map((each) => [each, toOwner(each.agent, words)]));
  const descriptions = new Map(agents.map((each) => [each, sites.get(each) === null ? undefined : toText(each.agent)]));
  const oldest = new Map<string | undefined, Agent>();
  for (const each of agents) {
    const description = descriptions.get(each);
    if (each.agent.seq < (oldest.get(description)?.agent.seq ?? Infinity)) oldest.set(description, each);
  }
  const isOldest = (each: Agent) => oldest.get(descriptions.get(each)) === each;
  const copies = leaveOut(agents, descriptions, (each) => each === named || isOldest(each));
  const others = agents.filter((each) => !copies.has(each));
  return new Set([...copies, ...leaveOut(others, sites, (each) => each === named || isProved(each.agent))]);
}

/** The agents of an owner after so many as may stand among the first ones; the preferred ones are counted first. */
function leaveOut<Agent>(
  agents: readonly Agent[],
  owners: ReadonlyMap<Agent, string | null | undefined>,
  isPreferred: (agent: Agent) => boolean,
): Set<Agent> {
  const counts = new Map<string, number>();
  return new Set(
    agents
      .toSorted((a, b) => Number(isPreferred(b)) - Number(isPreferred(a)))
      .filter((agent) => {
        const owner = owners.get(agent) ?? undefined;
        if (owner === undefined) return false;
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
        return (counts.get(owner) ?? 0) > ranking.maxOfOwner;
      }),
  );
}

const isProved = ({ websiteCheckedAt }: StoredTexts) => websiteCheckedAt !== null;

/** The description of an agent without digits and signs, in which copies differ; undefined if its website has a proof. */
function toText(agent: StoredTexts): string | undefined {
  const letters = fold(agent.description).replaceAll(/[^\p{L}]+/gu, ' ');
  return isProved(agent) ? undefined : letters.trim();
}

/** The site of an agent; null if the search names it, undefined if it is unknown. */
function toOwner({ website }: StoredTexts, words: ReadonlySet<string>): string | null | undefined {
  if (website === null || !URL.canParse(website)) return undefined;
  const site = toSite(website);
  const [host = '', account] = site.split('/');
  if (words.has(account ?? host.split('.')[0] ?? '')) return null;
  const isUnknown = account === undefined ? isSharedHost(host) : SECTIONS.has(account);
  return isUnknown ? undefined : site;
}
