import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runRegistry } from '../cli/run-registry.ts';
import { readConfig } from '../config.ts';
import type { GuardedFetch } from '../website-check/guarded-fetch.ts';
import { startHttpsWebsite } from './https-website.ts';

/** An answer of a source: its status, 200 by default, and its body; a value is written as JSON. */
export type SourceAnswer = { status?: number; headers?: Record<string, string>; body?: unknown };

/** Answers a request to a source. */
export type AnswerSource = (url: URL) => SourceAnswer | Promise<SourceAnswer>;

/** A server that answers as sources do, at https://website.example and https://other.example. */
export type SourceServer = {
  /** The addresses that were asked for since `answerWith`. */
  asked: URL[];
  answerWith: (answer: AnswerSource) => void;
  fetch: GuardedFetch;
  /** Runs the command `sync` with these sources, and returns its exit code and output. */
  sync: (
    databaseUrl: string,
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
    async sync(databaseUrl, sources, ...options) {
      const path = join(folder, 'sources.json');
      await writeFile(path, typeof sources === 'string' ? sources : JSON.stringify(sources));
      return runCommandLine(databaseUrl, ['sync', path, ...options], website.fetch);
    },
    async close() {
      website.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs a command in this process. */
export async function runCommandLine(databaseUrl: string, args: readonly string[], fetch?: GuardedFetch) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const loadConfig = () => readConfig({ DATABASE_URL: databaseUrl });
  const code = await runRegistry(args, { stdout, stderr, loadConfig, ...(fetch && { fetch }) });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

function toUrl({ url = '/', headers: { host = '' } }: IncomingMessage): URL {
  return new URL(url, `https://${host}`);
}
