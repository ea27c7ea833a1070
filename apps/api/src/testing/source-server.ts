import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runRegistry } from '../cli/run-registry.ts';
import { readConfig } from '../config.ts';
import type { GuardedFetch } from '../website-check/guarded-fetch.ts';
import type { TestDatabase } from './engines.ts';
import { startHttpsWebsite } from './https-website.ts';

/** An answer of a source: its status, 200 by default, and its body; a value is written as JSON. */
export type SourceAnswer = { status?: number; headers?: Record<string, string>; body?: unknown };

/** Answers a request to a source. */
export type AnswerSource = (url: URL) => SourceAnswer | Promise<SourceAnswer>;

/** The database of a command: an open one, which takes a third of the time, or the address of one that it opens. */
type CommandDatabase = string | TestDatabase;

/** A server that answers as sources do, at https://website.example and https://other.example. */
export type SourceServer = {
  /** The addresses that were asked for since `answerWith`. */
  asked: URL[];
  answerWith: (answer: AnswerSource) => void;
  fetch: GuardedFetch;
  /** Runs the command `sync` with these sources, and returns its exit code and output. */
  sync: (
    database: CommandDatabase,
    sources: unknown,
    ...options: string[]
  ) => Promise<{ code: number; stdout: string; stderr: string }>;
  close: () => Promise<void>;
};

/** Starts a server of sources. */
export async function startSourceServer(): Promise<SourceServer> {
  let answer: AnswerSource = () => ({ status: 404 });
  let asked: URL[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-sources-'));
  const website = await startHttpsWebsite(async (request, response) => {
    const url = toUrl(request);
    asked.push(url);
    const { status = 200, headers, body = '' } = await answer(url);
    response.writeHead(status, headers);
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  return {
    get asked() {
      return asked;
    },
    answerWith(given) {
      answer = given;
      asked = [];
    },
    fetch: website.fetch,
    async sync(database, sources, ...options) {
      const path = join(folder, 'sources.json');
      await writeFile(path, typeof sources === 'string' ? sources : JSON.stringify(sources));
      return runCommandLine(database, ['sync', path, ...options], website);
    },
    async close() {
      website.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs a command in this process, with these settings. */
export async function runCommandLine(
  database: CommandDatabase,
  args: readonly string[],
  { fetch, settings }: { fetch?: GuardedFetch; settings?: Record<string, string> } = {},
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const DATABASE_URL = typeof database === 'string' ? database : database.url;
  const loadConfig = () => readConfig({ DATABASE_URL, ...settings });
  const open = typeof database !== 'string' && { database: { engine: database.engine, isNew: false } };
  const code = await runRegistry(args, { stdout, stderr, loadConfig, ...open, ...(fetch && { fetch }) });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

function toUrl({ url = '/', headers: { host = '' } }: IncomingMessage): URL {
  return new URL(url, `https://${host}`);
}
