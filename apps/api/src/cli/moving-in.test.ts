import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { makePublicServers } from '../testing/public-servers.ts';
import { runCommandLine } from '../testing/source-server.ts';

// The stores are tested on both engines.
const [sqlite] = engines;
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await sqlite.open();
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
});

afterAll(async () => {
  await database.remove();
  await rm(folder, { recursive: true });
});

beforeEach(() => database.empty());

const list = async () =>
  (await createAgentStore(database.engine).list()).toSorted((one, other) => (one.name < other.name ? -1 : 1));
const run = (...args: string[]) => runCommandLine(database, args);

const awesome = `# Awesome agents [![Awesome](https://awesome.re/badge.svg)](https://awesome.re)

- [Contents](#code)

## Code

- [Otter](https://otter.example.com) - Writes \`tests\`, see [docs](https://otter.example.com/docs).
- **[Mole](https://mole.example.com)** — Digs into logs.
  - [Vole](http://vole.example.com): Small mole.

### Chatbot

* [No text](https://no-text.example.com)
* [Stoat][stoat] Talks & listens.

\`\`\`
- [Not](https://not.example.com) in code
\`\`\`

[stoat]: https://stoat.example.com
`;

const table = [
  'Product;What it does;Kind;Link;Tags;Price',
  'Otter;"Writes tests; fast";automation;otter.example.com;code, tests;Free',
  'Mole;Digs;Chatbot;https://mole.example.com;;paid',
  ';No name;Chatbot;;;',
].join('\r\n');
const map = {
  Product: 'name',
  'What it does': 'description',
  Kind: 'category',
  Link: 'website',
  Tags: 'capabilities',
  Price: 'pricingModel',
};

const theirs = [makeAgent({ name: 'Otter' }), makeAgent({ name: 'Mole' })];
const withoutContacts = theirs.map((agent) => ({ ...agent, contactEmail: undefined }));

/** The file, what maps its columns, the agents that it has, and the faults of the others. */
const files: [string, string | Buffer, Record<string, string> | undefined, object[], RegExp][] = [
  [
    'awesome.md',
    awesome,
    undefined,
    [
      { name: 'Mole', description: 'Digs into logs.', website: 'https://mole.example.com/', capabilities: ['Code'] },
      { name: 'Otter', description: 'Writes tests, see docs.', capabilities: ['Code'], category: 'automation' },
      { name: 'Stoat', description: 'Talks & listens.', capabilities: ['Code', 'Chatbot'], category: 'chatbot' },
      { name: 'Vole', description: 'Small mole.', website: 'http://vole.example.com/' },
    ],
    /Description is required/,
  ],
  [
    'table.csv',
    `\uFEFF${table}`,
    map,
    [
      { name: 'Mole', category: 'chatbot', pricingModel: 'paid', capabilities: [] },
      {
        name: 'Otter',
        description: 'Writes tests; fast',
        website: 'https://otter.example.com/',
        capabilities: ['code', 'tests'],
        pricingModel: 'free',
      },
    ],
    /Name is required/,
  ],
  [
    'dump.json',
    JSON.stringify({
      servers: [
        ...makePublicServers().servers.slice(0, 2),
        { server: { name: 'a/b' } },
        // As version 0 of the API had it.
        {
          name: 'a/old',
          description: 'Old.',
          remotes: [{ transport_type: 'sse', url: 'https://old.example.com/sse' }],
        },
      ],
      metadata: { count: 3 },
    }),
    undefined,
    [
      { name: 'old', connections: [{ kind: 'mcp', transport: 'sse', url: 'https://old.example.com/sse' }] },
      { name: 'tool-0', connections: [{ kind: 'mcp', url: 'https://tool-0.acme.com/mcp' }] },
      { name: 'tool-1', apiAccess: 'yes' },
    ],
    /Description is required/,
  ],
  [
    'agents.json',
    JSON.stringify([...withoutContacts, { name: 'Broken' }]),
    undefined,
    [{ name: 'Mole' }, { name: 'Otter' }],
    /Description is required/,
  ],
];

test.each(files)(
  '%s is imported, and a dry run shows first what it has',
  async (name, text, columns, agents, fault) => {
    const path = join(folder, name);
    await writeFile(path, text);
    const maps = Object.entries(columns ?? {}).flatMap(([column, field]) => ['--map', `${column}=${field}`]);
    const options = ['--contact', 'operator@example.com', '--category', 'Automation', ...maps];
    const dry = await run('import', path, ...options, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringMatching(fault) as string });
    const [summary, ...mapped] = dry.stdout.trim().split('\n').toReversed();
    expect(summary).toBe(`${agents.length} agents would be imported, 1 refused. Nothing was changed.`);
    expect(mapped.map((line) => JSON.parse(line) as { name: string }).toSorted(byName)).toMatchObject(agents);
    expect(await list()).toEqual([]);
    expect(await run('import', path, ...options)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(fault) as string,
    });
    const common = name === 'agents.json' ? {} : { contactEmail: 'operator@example.com' };
    expect(await list()).toMatchObject(agents.map((agent) => ({ ...common, ...agent })));
  },
);

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

const hostileParts = [
  '[',
  '![',
  '> ',
  '- [',
  '- [a](',
  '- [a]: ',
  '- [a](https://a.b ',
  '# ',
  '- `',
  '- <a',
  '- &',
  '```\n',
];

test.each(hostileParts)(
  'a list in Markdown of %j alone is read, and one of more than 1 MiB is refused',
  async (part) => {
    const path = join(folder, 'hostile.md');
    await writeFile(path, part.repeat(2 ** 20 / part.length));
    expect((await run('import', path, '--dry-run')).stdout).toContain('would be imported');
    await appendFile(path, ' '.repeat(16));
    expect(await run('import', path, '--dry-run')).toMatchObject({ code: 1, stderr: `${path} has more than 1 MiB.\n` });
  },
);

test.each([
  [['--map', 'Name'], '--map must be column=field'],
  [['--map', 'Name=nam'], '--map must be column=field'],
  [['--map', 'None=name'], 'has no column "None"'],
  [['--category', 'Otters'], '--category must be one of chatbot'],
])('%j is refused with a sentence', async (options, message) => {
  const path = join(folder, 'some.csv');
  await writeFile(path, 'Name,What\nOtter,Swims\n');
  const { code, stderr } = await run('import', path, ...options);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as string });
  expect(await list()).toEqual([]);
});
