import { fold, isSharedHost, parseText } from '@agent-registry/contracts';
import { toSite } from '../shared-hosts.ts';
import { ranking } from './ranking.ts';
import type { Scored } from './score.ts';

/** First parts of paths on shared hosts that name no account. */
const SECTIONS = new Set(
  'agent agents app apps c channel channels collections company datasets document e g gpts hub in invite mcp models p package packages project r search server servers share spaces store tools u user view watch'.split(
    ' ',
  ),
);

/**
 * Lets at most `ranking.maxOfOwner` agents of one owner stand among the first ones, if there are enough others. Later ones of
 * an owner follow directly. A search for an owner, or for names, keeps its order.
 */
export function spreadOwners(agents: readonly Scored[], { text }: { text: string }): readonly Scored[] {
  const { firstResults, maxOfOwner } = ranking;
  const { conditions } = parseText(text);
  if (agents.length <= maxOfOwner || conditions.some(({ field }) => field === 'by' || field === 'name')) return agents;
  const words = new Set(fold(text).match(/[\p{L}\p{N}]+/gu));
  const counts = new Map<string, number>();
  const first: Scored[] = [];
  const later: Scored[] = [];
  for (const [at, scored] of agents.entries()) {
    if (first.length === firstResults) return [...first, ...later, ...agents.slice(at)];
    const owner = toOwner(scored, words);
    const count = (owner === undefined ? 0 : (counts.get(owner) ?? 0)) + 1;
    if (owner !== undefined) counts.set(owner, count);
    (owner !== undefined && count > maxOfOwner ? later : first).push(scored);
  }
  return first.length === firstResults ? [...first, ...later] : agents;
}

/** The site of an agent, or without a website its description; undefined if that is unknown, or the search names it. */
function toOwner({ agent: { website, description } }: Scored, words: ReadonlySet<string>): string | undefined {
  if (website === null) return fold(description);
  if (!URL.canParse(website)) return undefined;
  const site = toSite(website);
  const [host = '', account] = site.split('/');
  if (account !== undefined) return SECTIONS.has(account) || words.has(account) ? undefined : site;
  return words.has(host.split('.')[0] ?? '') || isSharedHost(host) ? undefined : site;
}
