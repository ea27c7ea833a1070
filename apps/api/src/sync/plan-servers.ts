import { isDeepStrictEqual } from 'node:util';
import { changedAt, connectsOf, type NewAgent } from '@agent-registry/contracts';
import type { AgentSource } from '../operator/agent-sources.ts';
import { readDocument, readDocuments, toBasis, type ServerDocument } from '../servers/server-documents.ts';
import { planNames } from '../servers/source-names.ts';
import { toSite } from '../hosts.ts';
import type { Source } from './read-sources.ts';
import type { SourceServer } from './read-server.ts';
import type { KnownAgent } from './source-store.ts';
import type { PlanOptions, SyncPlan } from './sync-plan.ts';

/** An entry of a source that its agent follows, read as an agent and as an MCP server. */
export type PresentEntry = { entry: AgentSource; agent: NewAgent; server: SourceServer };

export async function planServers(
  plan: SyncPlan,
  present: readonly PresentEntry[],
  { engine, named, now }: PlanOptions,
  known: ReadonlyMap<string, KnownAgent>,
): Promise<void> {
  const { source } = plan;
  const { db, serverNamespace } = engine;
  // Names of this registry are formed here only.
  const isForeign = ({ name }: SourceServer) =>
    serverNamespace === undefined || !name.toLowerCase().startsWith(`${serverNamespace}/`);
  const wanted = present
    .filter(({ server }) => (source.names || isOfDomain(source, server.name)) && isForeign(server))
    .map(({ entry, server }) => ({ agentId: entry.agentId as string, name: server.name }));
  const given = await planNames(db, wanted, source.names ? named : undefined);
  const names = new Map(given.map((one) => [one.agentId, one]));
  const planned = new Map([...plan.adds, ...plan.changes, ...plan.returns].map((one) => [one.agent.id, one]));
  const ids = present.map(({ entry }) => entry.agentId as string);
  const before = await readDocuments(db, ids);
  for (const { entry, agent, server } of present) {
    const agentId = entry.agentId as string;
    const name = names.get(agentId);
    const fault = findFault(agent, server, name !== undefined);
    if (fault !== undefined && source.names) plan.partial.push({ id: server.name, fault });
    const { document, isLatest: _, ...described } = server;
    const next: ServerDocument = {
      ...described,
      agentId,
      document: fault === undefined ? JSON.stringify(document) : null,
      basis: toBasis(agent),
      isLatest: true,
      keptAt: now,
    };
    if (name?.isNew) plan.names.push({ agentId, name: name.name });
    const former = before.get(agentId);
    const stored = known.get(agentId)?.agent;
    // After an interruption the description was kept, and the agent has no change that tells of it.
    const isTold = stored !== undefined && former !== undefined && changedAt(stored) >= former.keptAt;
    const isSame = former !== undefined && isDeepStrictEqual({ ...next, keptAt: former.keptAt }, former);
    if (isSame && isTold && !name?.isNew) continue;
    const change = planned.get(agentId);
    if (change) change.document = next;
    else if (stored) {
      plan.unchanged -= 1;
      plan.changes.push({ entry: { ...entry, importedAt: now }, agent: stored, patch: {}, document: next });
    }
  }
}

/** Why a server is not described as its source does; undefined if it is. */
function findFault(agent: NewAgent, { document }: SourceServer, isNamed: boolean): string | undefined {
  if (!connectsOf(agent).includes('mcp')) return 'it has no connection that can be kept';
  if (!isNamed) return 'its name is not given to it here';
  const { fault } = readDocument(document);
  return fault === undefined ? undefined : `it ${fault}`;
}

/** Whether the name of a server is one of the domain of its source, as those are that a registry forms itself. */
function isOfDomain({ address }: Source, name: string): boolean {
  const site = toSite(address);
  const [namespace = ''] = name.toLowerCase().split('/', 1);
  const own = site.split('.').toReversed().join('.');
  return !site.includes('/') && (namespace === own || namespace.startsWith(`${own}.`));
}
