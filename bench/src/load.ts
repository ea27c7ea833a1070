import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { readProcessorTime, type Server } from './server.ts';

/** Requests that are sent over several connections. */
export type Load = {
  /** Taken in turn. */
  requests: readonly { path: string; body?: string }[];
  headers?: Readonly<Record<string, string>>;
  connections?: number;
  /** The duration, in seconds. */
  seconds?: number;
  /** The number of requests, instead of a duration. */
  amount?: number;
  /** The most requests per second. */
  rate?: number;
};

/** The results of a load. */
export type LoadResult = {
  perSecond: number;
  /** The server's processor time per request, in seconds. */
  processorTime: number;
  /** How long each response took, from when its request was due, in milliseconds. */
  times: number[];
};

const CONNECTIONS = 10;

/** Sends requests as fast as responses arrive, or at a fixed rate. Throws if a request fails. */
export async function sendLoad(server: Server, load: Load): Promise<LoadResult> {
  const { requests, headers = {}, connections = CONNECTIONS, seconds = 1, amount = Infinity, rate } = load;
  const pool = new Pool(server.url, { connections, pipelining: 1 });
  const processorTime = readProcessorTime(server.pid);
  const begin = performance.now();
  const end = amount === Infinity ? begin + seconds * 1_000 : Infinity;
  let sent = 0;
  const times: number[] = [];
  const sendInTurn = async () => {
    while (sent < amount && performance.now() < end) {
      const { path, body } = requests[sent % requests.length] as Load['requests'][number];
      const untilDue = rate === undefined ? 0 : begin + (sent / rate) * 1_000 - performance.now();
      sent += 1;
      if (untilDue > 0) await wait(untilDue);
      // A request that no connection was free for has waited since it was due; a timer that fires late is the client's.
      const start = performance.now() + Math.min(untilDue, 0);
      await exchange(pool, { path, headers, body });
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  const elapsed = (performance.now() - begin) / 1_000;
  await pool.close();
  return { perSecond: sent / elapsed, processorTime: (readProcessorTime(server.pid) - processorTime) / sent, times };
}

type Exchange = { path: string; headers: Readonly<Record<string, string>>; body: string | undefined };

/** Sends a request and drops the body of the response. */
function exchange(pool: Pool, { path, headers, body }: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    const request =
      body === undefined
        ? { method: 'GET', headers }
        : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    let status = 0;
    pool.dispatch(
      { path, ...request },
      {
        // undici requires the first two.
        onRequestStart: () => {},
        onResponseData: () => {},
        onResponseStart: (_, statusCode) => void (status = statusCode),
        onResponseEnd: () => (status < 400 ? resolve() : reject(new Error(`${path}: ${status}`))),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

/** Reads paths one after the other with a pause between them; returns the times in milliseconds. */
export async function timeReads(
  server: Server,
  paths: readonly string[],
  { pause = 5, until }: { pause?: number; until: Promise<unknown> },
): Promise<number[]> {
  const times: number[] = [];
  const over = new AbortController();
  const end = until.finally(() => over.abort());
  for (let index = 0; !over.signal.aborted; index += 1) {
    times.push(await timeRead(server, paths[index % paths.length] ?? '/'));
    await wait(pause);
  }
  await end;
  return times;
}

/** Reads a path to its end over a connection that stays open; returns the time in milliseconds. */
export function timeRead(server: Server, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const sent = get(server.url + path, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begin);
        else reject(new Error(`${path}: ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
  });
}

/** Waits until searches know the words of all agents; until then no cache may keep their results. */
export async function waitForWords({ url }: Server): Promise<void> {
  const search = new URL('/api/search?limit=1&q=ottre', url);
  while ((await fetch(search)).headers.get('cache-control') === 'no-store') await wait(1_000);
}
