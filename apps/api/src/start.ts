// What `pnpm start` runs: the server, in a Node that is told to need little memory, which one can tell it only at its start.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What is young takes two times 2 MB at most, what is old grows by a fifth before it is tidied, and compilers are fewer. One
 * thread helps with both: several that tidy 2 MB together wait for each other, and all for the processor.
 */
const OPTIONS = ['--max-semi-space-size=2', '--heap-growing-percent=20', '--no-maglev', '--v8-pool-size=1'];
/** Memory beside JavaScript's, where the C library is glibc: given back when 128 KiB are free, and held once for all threads. */
const VARIABLES = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' };

const server = new URL(`./server${extname(import.meta.filename)}`, import.meta.url);

// Windows cannot put another program in the place of a process, and a parent that talks with this one could no longer.
if (process.platform === 'win32' || !process.execve || process.channel) await import(server.href);
else {
  process.execve(
    process.execPath,
    [process.execPath, ...OPTIONS, ...process.execArgv, fileURLToPath(server), ...process.argv.slice(2)],
    { ...VARIABLES, ...process.env },
  );
}
