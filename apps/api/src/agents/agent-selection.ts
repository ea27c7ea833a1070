import { fold, hostOf, type Agent } from '@agent-registry/contracts';

/** What the operator read of agents that wait for review: their fingerprints, by their ids. */
export type Seen = ReadonlyMap<string, string>;

/** Selects agents that meet all given conditions; without a condition, all agents. */
export type AgentSelection = {
  /** Agents with one of these ids. */
  ids?: ReadonlySet<string> | undefined;
  /** Agents registered at this time or later: ISO 8601 in UTC, to the millisecond. */
  since?: string | undefined;
  /** Agents with this text in their name, description or capabilities; case, accents and width do not count. */
  text?: string | undefined;
  /** Agents whose website is on this host, as `hostOf` writes it, or a subdomain of it. */
  host?: string | undefined;
  /** Agents with this contact email, or with an address at a domain, such as `@example.com`. */
  email?: string | undefined;
  /** Agents of this category. */
  category?: string | undefined;
  /** Agents that were hidden together, at this time. */
  hiddenAt?: string | undefined;
  /** What was read of agents that wait for review: if one of them has changed since, nothing is changed. */
  seen?: Seen | undefined;
};

/** Creates the function that tells whether an agent meets the conditions. */
export function createMatcher({
  ids,
  since,
  text,
  host,
  email,
  category,
  hiddenAt,
}: AgentSelection): (agent: Agent, agentHiddenAt?: string) => boolean {
  const searched = text && fold(text);
  const address = email?.toLowerCase();
  const matchesText = (agent: Agent) =>
    searched === undefined ||
    [agent.name, agent.description, ...agent.capabilities].some((field) => fold(field).includes(searched));
  const matchesHost = ({ website }: Agent) =>
    host === undefined || (website !== null && `.${hostOf(website) ?? ''}`.endsWith(`.${host}`));
  const matchesEmail = ({ contactEmail }: Agent) => {
    if (address === undefined) return true;
    const own = contactEmail.toLowerCase();
    return address.startsWith('@') ? own.endsWith(address) : own === address;
  };
  return (agent, agentHiddenAt) =>
    (ids === undefined || ids.has(agent.id)) &&
    (since === undefined || agent.createdAt >= since) &&
    (category === undefined || agent.category === category) &&
    (hiddenAt === undefined || agentHiddenAt === hiddenAt) &&
    matchesEmail(agent) &&
    matchesHost(agent) &&
    matchesText(agent);
}
