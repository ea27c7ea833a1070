// Starts the server as main.ts does, with options in place of constants.
// node start-process.ts <module of start()> <options as JSON>
import type { start as startServer } from '../start.ts';

const [, , module = '', options = ''] = process.argv;
const { start } = (await import(module)) as { start: typeof startServer };
const refusal = await start(JSON.parse(options));
if (refusal !== undefined) {
  console.error(refusal);
  process.exitCode = 1;
}
