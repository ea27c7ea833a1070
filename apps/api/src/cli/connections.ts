import { setTimeout as wait } from 'node:timers/promises';
import { countOf, describeConnection, type Connection } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { isUnclaimed } from '../db/records.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { mergeDescriptions } from '../prefill/prefill-router.ts';
import { createDescriptionReader } from '../prefill/read-descriptions.ts';
import { toCheckedHost, toSite } from '../hosts.ts';
import { createSourceStore } from '../sync/source-store.ts';
import { createGuardedFetch } from '../website-check/guarded-fetch.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
import { toUserAgent } from '../website-check/user-agent.ts';
import { createFileReader } from '../website-files/read-file.ts';
import {
  readActing,
  type ActingOptions,
  CommandError,
  sayRow,
  say,
  withDatabase,
  type CommandContext,
} from './command.ts';

/** How long robots.txt may take, in milliseconds. */
const ROBOTS_TIMEOUT = 5_000;
/** The pause between two websites of a site, in milliseconds. */
const SITE_PAUSE = 1_000;

type Candidate = { id: string; name: string; website: string };

/**
 * Reads the websites of listed agents without an owner and without connections, one after the other, and prints the
 * connections that they describe. With `--yes` the agents get them.
 * @throws {CommandError} when something was found and `--yes` is missing
 */
export async function suggestConnections(
  context: CommandContext,
  { yes, ...options }: ActingOptions & { yes?: boolean },
): Promise<void> {
  const acting = readActing('connections', options);
  const { fetch = createGuardedFetch() } = context;
  await withDatabase(context, async ({ engine }, { PUBLIC_URL: origin = '' }) => {
    const readFile = createFileReader();
    const readRobots = createRobotsReader(fetch, { userAgent: toUserAgent(origin), readFile });
    const readDescriptions = createDescriptionReader({ fetch, readFile });
    const operator = createOperatorStore(engine, acting);
    const sources = createSourceStore(engine, acting);
    let [read, found, site] = [0, 0, ''];
    for (const { id, name, website } of await findCandidates(engine)) {
      const robots = readRobots(new URL(website), AbortSignal.timeout(ROBOTS_TIMEOUT));
      if (!(await robots.catch(() => ({ isAllowed: false }))).isAllowed) continue;
      if (toSite(website) === site) await wait(SITE_PAUSE);
      site = toSite(website);
      read += 1;
      const { descriptions } = await readDescriptions(website, { origin });
      const suggestion = mergeDescriptions(descriptions).find(({ field }) => field === 'connections');
      if (!suggestion) continue;
      const connections = suggestion.value as Connection[];
      found += 1;
      for (const connection of connections) {
        sayRow(context, id, name, describeConnection(connection), suggestion.source);
      }
      if (!yes) continue;
      // As an import, so that an agent that gets an owner meanwhile stays as it is.
      await operator.edit({ ids: new Set([id]) }, { connections }, 'import');
      // The source of an imported agent has none, so its next synchronisation would remove them.
      await sources.pin(id, (pinned) => new Set([...pinned, 'connections']));
    }
    say(context, `${countOf(read, 'website')} read: ${countOf(found, 'agent')} with connections.`);
    if (found > 0 && !yes) throw new CommandError('Nothing was changed. Repeat the command with --yes to do it.');
  });
}

/** Finds the agents whose websites may be read, those of a site together. */
async function findCandidates({ db }: Engine): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'name', 'website'])
    .where('connections', 'is', null)
    .where(isUnclaimed)
    .orderBy('website_key')
    .execute();
  return rows.flatMap(({ id, name, website }) =>
    website !== null && toCheckedHost(website) !== undefined ? [{ id, name, website }] : [],
  );
}
