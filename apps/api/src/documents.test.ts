import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { builtCommands, startServerProcess } from './testing/processes.ts';
import { runsAll } from './testing/tier.ts';

/** Commands that need root, containers, a network, the site of an owner, or an entry of the reader. */
const ELSEWHERE = /sudo|docker|npx|npm |git |ln -s|website-claim|\$path|tides-/;

/** What a reader puts in the place of an ellipsis or an example. */
const FILLED_IN = [
  ['id=… # of the response', String.raw`id=$(sed -E 's/.*"id":"([^"]+)".*/\1/' "$folder/response")`],
  // The owner still has the former key.
  ['key=… # another', 'former=$key; key=$(openssl rand -base64 32 | tr "+/" "-_" | tr -d "=")'],
  ['DELETE -H "Authorization: Bearer $key"', 'DELETE -H "Authorization: Bearer $former"'],
  ['q8Jw3hXb2mKd.48', String.raw`'$(sed -E 's/.*"next":"([^"]+)".*/\1/' "$folder/response")'`],
] as const;

/** Commands of readers against the server under test. Their answers are kept, and one above 399 fails. */
const PRELUDE = `
curl() {
  command curl --silent --show-error --fail-with-body --output "$folder/response" "$@" || {
    echo "$* $(cat "$folder/response")" >&2
    return 1
  }
}
registry() { node "$commands" "$@"; }
`;

test.skipIf(!runsAll).each(['docs/api.md', 'README.md'])('the shell lines of %s work', async (document) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-documents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await startServerProcess(folder, { PORT: '0', PUBLIC_URL: 'https://registry.example' });
  onTestFinished(async () => void (await server.stop('SIGTERM')));
  const source = await readFile(join(import.meta.dirname, '../../..', document), 'utf8');
  const lines = readShellLines(source).filter((line) => !ELSEWHERE.test(line));
  expect(lines.length).toBeGreaterThan(0);
  let script = `${PRELUDE}${lines.join('\n')}\n`.replaceAll(
    /http:\/\/localhost:3000|https:\/\/registry\.example/g,
    server.url,
  );
  for (const [ellipsis, value] of FILLED_IN) script = script.replaceAll(ellipsis, value);
  const env = { PATH: process.env.PATH ?? '', folder, commands: builtCommands };
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, env });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** The commands of the shell blocks of a document, each with its continued lines. */
function readShellLines(source: string): string[] {
  const blocks = Array.from(source.matchAll(/^```sh\n(.*?)^```$/gmsu), ([, block = '']) => block);
  return blocks
    .flatMap((block) => block.match(/^(?:[^'\n]|'[^']*')+$/gm) ?? [])
    .filter((line) => !line.startsWith('#'));
}
