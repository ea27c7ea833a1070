import { join } from 'node:path';

/** How the server is built besides its settings: constants that only tests and benchmarks change. Times are in milliseconds. */
export type ServerOptions = {
  /** The time for the headers of a request; at most `requestTimeout`. */
  headersTimeout: number;
  requestTimeout: number;
  /** The time without a byte after which a connection with a request is closed. */
  connectionTimeout: number;
  /** The time that an idle connection stays open. */
  keepAliveTimeout: number;
  /** Open connections; beyond it the longest idle one is closed. */
  maxConnections: number;
  /** The mean delay of the event loop over a second at which requests get 503; 0 for never. */
  maxEventLoopDelay: number;
  /** The time for pending requests once a process that shuts down accepts no new ones. */
  shutdownTimeout: number;
  connectTimeout: number;
  webDir: string;
  /** Edits, withdrawals and new keys a minute of one client, over all processes; 0 for no limit. */
  editLimit: number;
  /** Bytes of registrations, edits and reports a day of one client, over all processes; 0 for no limit. */
  writeBytesPerDay: number;
};

/** The most connections where the process may open more descriptors: each takes some 20 kB. */
const MAX_CONNECTIONS = 10_000;

export const defaultServerOptions: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionTimeout: 60_000,
  // Longer than load balancers keep their connections open.
  keepAliveTimeout: 72_000,
  maxConnections: defaultMaxConnections(),
  maxEventLoopDelay: 1_000,
  // With SHUTDOWN_DELAY below the ten seconds after which many supervisors kill a process.
  shutdownTimeout: 8_000,
  connectTimeout: 5_000,
  webDir: join(import.meta.dirname, '../../web/dist'),
  editLimit: 60,
  writeBytesPerDay: 20_000_000,
};

/** A third of the descriptors that the process may open; the rest is for files, threads, the database and metrics. */
function defaultMaxConnections(): number {
  // Otherwise the report looks up the name of each peer.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | 'unlimited' } } };
  const descriptors = Number(userLimits?.open_files.soft);
  return descriptors > 0 ? Math.min(MAX_CONNECTIONS, Math.max(1, Math.floor(descriptors / 3))) : MAX_CONNECTIONS;
}
