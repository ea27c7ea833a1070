import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { builtCommands, startServerProcess } from './testing/processes.ts';
import { runsAll } from './testing/tier.ts';

/** Commands that need root, containers, a network, another program, the site of an owner, or an entry of the reader. */
const ELSEWHERE = /sudo|docker|npx|npm |git |jq |ln -s|printf|website-claim|\$path|tides-/;

/** Folders of a machine that stand for the folder of the test. */
const FOLDERS = /\/var\/(?:lib\/agent-registry-backups|www\/mirror)|\/tmp(?=\/(?:drill|list|table)\b)/g;

/** What a reader puts in the place of an ellipsis or an example. */
const FILLED_IN = [
  // What was released is refused, and released again and reported.
  ['registry refuse', 'registry hold "$id"; registry refuse'],
  [
    'registry list --reported',
    `registry hold "$id"; registry release "$id"; curl http://localhost:3000/api/agents/$id/reports \\
      -H 'Content-Type: application/json' -d '{"reason": "spam"}'; registry list --reported`,
  ],
  // Without `--yes` a command of a condition shows what it would do, and fails.
  ["--reason 'Flood'\n", "--reason 'Flood' 2> /dev/null && exit 1\n"],
  // `curl` of the prelude fails by itself.
  ['curl -fs', 'curl'],
  ['id=… # of the response', String.raw`id=$(sed -E 's/.*"id":"([^"]+)".*/\1/' "$folder/response")`],
  // The owner still has the former key.
  ['key=… # another', 'former=$key; key=$(openssl rand -base64 32 | tr "+/" "-_" | tr -d "=")'],
  ['DELETE -H "Authorization: Bearer $key"', 'DELETE -H "Authorization: Bearer $former"'],
  // An entry of the guide.
  ['3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', '"$id"'],
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
registry() { node "$commands" "$@" > "$folder/output"; }
`;

/** What is there before the commands of the guide: two entries that wait, a backup, and two lists. */
const GUIDE = `
for name in Tides Tables; do
  curl http://localhost:3000/api/agents -H 'Content-Type: application/json' -d '{"name": "'$name'",
    "description": "Answers.", "category": "chatbot", "capabilities": ["calls"], "contactEmail": "owner@example.com",
    "website": "https://spam.example/'$name'"}'
done
registry list --held --json
id=$(sed -nE '1s/.*"id":"([^"]+)".*/\\1/p' "$folder/output")
registry backup "$folder/2026-11-21.backup"
printf -- '- [Tides](https://tides.example) - Reads tide tables.\\n' > "$folder/list.md"
printf 'Title,Text,Kind\\nTides,Reads tide tables.,analytics\\n' > "$folder/table.csv"
`;
const documents: { document: string; env: Record<string, string>; before: string }[] = [
  { document: 'docs/api.md', env: {}, before: '' },
  { document: 'README.md', env: {}, before: '' },
  { document: 'docs/operations.md', env: { REGISTRATION: 'held' }, before: GUIDE },
  { document: 'docs/scaling.md', env: {}, before: '' },
];

test.skipIf(!runsAll).each(documents)('the shell lines of $document work', async ({ document, env, before }) => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-documents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await startServerProcess(folder, { PORT: '0', PUBLIC_URL: 'https://registry.example', ...env });
  onTestFinished(async () => void (await server.stop('SIGTERM')));
  const source = await readFile(join(import.meta.dirname, '../../..', document), 'utf8');
  const lines = readShellLines(source)
    .map((line) => line.replace(/^sudo ((?:DATABASE_URL=\S+ )?)agent-registry/, '$1registry'))
    .filter((line) => !ELSEWHERE.test(line));
  expect(lines.length).toBeGreaterThan(0);
  let script = `${PRELUDE}${before}${lines.join('\n')}\n`;
  for (const [ellipsis, value] of FILLED_IN) script = script.replaceAll(ellipsis, value);
  script = script
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):3000|https:\/\/registry\.example/g, server.url)
    .replaceAll(FOLDERS, '$folder');
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', folder, commands: builtCommands },
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** The commands of the shell blocks of a document, each with its continued lines; those that write a file of root are none. */
function readShellLines(source: string): string[] {
  const blocks = Array.from(source.matchAll(/^```sh\n(.*?)^```$/gmsu), ([, block = '']) => block);
  return blocks
    .map((block) => block.replaceAll(/^sudo [^\n]*<<'END'\n.*?^END\n/gmsu, ''))
    .flatMap((block) => block.match(/^(?:[^'\n]|'[^']*')+$/gm) ?? [])
    .filter((line) => !line.startsWith('#'));
}
