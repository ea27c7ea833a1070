// Mirrors a registry into a file, and keeps the file up to date: node mirror.mts <registry> <file>
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createClient, type Change } from '@agent-registry/client';

/** The agents by id, and the cursor after which the next run goes on. */
type Mirror = { after: string | null; agents: Record<string, Change['agent']> };

const [url = '', file = ''] = process.argv.slice(2);
if (file === '') throw new Error('Usage: node mirror.mts <registry> <file>');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const saved = await readFile(file, 'utf8').catch(() => undefined);
const mirror: Mirror = saved === undefined ? { after: null, agents: {} } : (JSON.parse(saved) as Mirror);
const options = { after: mirror.after ?? undefined, include: 'agents', signal: stop.signal } as const;
for await (const { changes, next, isStart } of createClient({ url }).followChanges(options)) {
  if (isStart) mirror.agents = {};
  for (const { id, agent } of changes) {
    if (agent) mirror.agents[id] = agent;
    else delete mirror.agents[id];
  }
  mirror.after = next;
  await writeFile(`${file}.new`, JSON.stringify(mirror));
  await rename(`${file}.new`, file);
  console.log(`${Object.keys(mirror.agents).length} agents after ${changes.length} changes`);
}
