import { join } from 'node:path';

/** The most connections where the process may open more descriptors: each takes some 20 kB. */
const MAX_CONNECTIONS = 10_000;

/** How the server is built besides its settings: constants that only tests and benchmarks change. Times are in milliseconds. */
export const defaultServerOptions = {
  /** The time for the headers of a request; at most `requestTimeout`. */
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  /** The time without a byte after which a connection with a request is closed. */
  connectionTimeout: 60_000,
  /** The time that an idle connection stays open: longer than load balancers keep theirs. */
  keepAliveTimeout: 72_000,
  /** Open connections; beyond it the longest idle one is closed. */
  maxConnections: defaultMaxConnections(),
  /** The mean delay of the event loop over a second at which requests get 503; 0 for never. */
  maxEventLoopDelay: 1_000,
  /** For pending requests at the end: with SHUTDOWN_DELAY below the ten seconds after which supervisors kill a process. */
  shutdownTimeout: 8_000,
  connectTimeout: 5_000,
  webDir: join(import.meta.dirname, '../../web/dist'),
  /** Edits, withdrawals and new keys a minute of one client, over all processes; 0 for no limit. */
  editLimit: 60,
  /** Bytes of registrations, edits and reports a day of one client, over all processes; 0 for no limit. */
  writeBytesPerDay: 20_000_000,
};

export type ServerOptions = typeof defaultServerOptions;

/** A third of the descriptors that the process may open; the rest is for files, threads, the database and metrics. */
function defaultMaxConnections(): number {
  // Otherwise the report looks up the name of each peer.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | 'unlimited' } } };
  const descriptors = Number(userLimits?.open_files.soft);
  return descriptors > 0 ? Math.min(MAX_CONNECTIONS, Math.max(1, Math.floor(descriptors / 3))) : MAX_CONNECTIONS;
}
