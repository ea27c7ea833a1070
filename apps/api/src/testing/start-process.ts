// Starts the server as main.ts does, with options in place of constants.
// node start-process.ts <module of start()> <options as JSON>
const [, , module = '', options = ''] = process.argv;
const { start } = (await import(module)) as typeof import('../start.ts');
const refusal = await start(JSON.parse(options));
if (refusal !== undefined) {
  console.error(refusal);
  process.exitCode = 1;
}
