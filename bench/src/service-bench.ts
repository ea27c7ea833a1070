import type { Agent } from '@agent-registry/contracts';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import type { BenchOptions, CorpusDatabase } from './corpus-database.ts';
import { CONNECTIONS, sendLoad, type Load } from './load.ts';
import type { Side } from './processors.ts';
import type { Service } from './server-process.ts';
import type { Figure, Ratio, Sample } from './service-report.ts';

/** A database on which rows are measured, and all that they need for it. */
export type Bench = CorpusDatabase &
  Pick<BenchOptions, 'rounds' | 'seconds'> & {
    size: number;
    /** The paths of all agents, and registrations, as lines of files. */
    agentPaths: string;
    bodies: string;
    folder: string;
    /** Does what a row takes and keeps its results, if the row is asked for. */
    measure(name: string, run: (name: string) => Promise<(Ratio | Figure)[]>): Promise<void>;
    /** Starts the real server on a copy of the database, which may be written. */
    withCopy<Result>(
      use: (service: Service, file: string) => Promise<Result>,
      options?: { workers?: number; side?: Side },
    ): Promise<Result>;
  };

/** A server, as far as loads need it. */
export type Measured = Pick<Service, 'url' | 'readProcessorTime'>;

/** Sends one load, and sees how much the server works meanwhile. */
export async function sample(
  server: Measured,
  load: Partial<Load> & Pick<Load, 'seconds'>,
  side: Side = 'client',
): Promise<Sample & { requests: number }> {
  const [before, begin] = [server.readProcessorTime(), performance.now()];
  const result = await sendLoad({ path: '/', connections: CONNECTIONS, url: server.url, side, ...load });
  const busy = ((server.readProcessorTime() - before) / (performance.now() - begin)) * 1_000;
  return { ...result, busy };
}

/** A load of registrations. */
export function toRegistrations(bodies: string, offset = 0): Partial<Load> {
  return {
    path: '/api/agents',
    headers: { 'content-type': 'application/json' },
    lines: { file: bodies, offset, are: 'bodies' },
  };
}

/** The path of an agent. */
export function agentPath(agent: Agent | undefined): string {
  return `/api/agents/${agent?.id}`;
}

/** What registers an agent like this one, as a body. */
export function toBody(agent: Agent): string {
  return JSON.stringify(toNewAgent(agent));
}
