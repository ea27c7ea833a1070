import { start } from './start.ts';

const refusal = await start();
if (refusal !== undefined) {
  console.error(refusal);
  process.exitCode = 1;
}
