// The operator's command line. It works while servers are running.
import { loadConfig } from '../config.ts';
import { runRegistry } from './run-registry.ts';

const { stdout, stderr } = process;

// The reader of a pipe may stop early, such as head.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runRegistry(process.argv.slice(2), { stdout, stderr, loadConfig });
