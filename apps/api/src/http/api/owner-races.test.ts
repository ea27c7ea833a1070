import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from '../../operator/operator-store.ts';
import { hashKey } from '../../agents/find-owned.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { rounds } from '../../testing/tier.ts';

const AGENTS = 2;
const fields = ['name', 'description', 'contactEmail'] as const;
type Field = (typeof fields)[number];

/** A call that runs at the same time as the others of its group. */
const operation = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'withdraw', 'restore', 'hide', 'unhide', 'import', 'read'),
  place: fc.nat(AGENTS - 1),
  process: fc.constantFrom(0, 1),
  field: fc.constantFrom(...fields),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

const groups = fc.array(fc.array(operation, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 4 });

const key = createManagementKey();

describe.each(surfaceEngines)('changes by owners and the operator on $name', ({ open }) => {
  let database: TestDatabase;
  let operator: OperatorStore;
  let apps: [TestApp, TestApp];

  beforeAll(async () => {
    database = await open();
    operator = createOperatorStore(database.engine);
    apps = [await startTestApp({ database }), await startTestApp({ database })];
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.remove();
  });

  const byId = (id: string) => ({ ids: new Set([id]) });

  /** How each process answers for an agent: the status of its address, and whether lists and searches have it. */
  const look = ({ id }: Agent) =>
    Promise.all(
      apps.map(async ({ url }) => {
        const lists = ['/api/agents', `/api/search?q=${id.slice(0, 8)}`].map(async (path) =>
          (await (await fetch(url + path)).text()).includes(id),
        );
        return { status: (await fetch(`${url}/api/agents/${id}`)).status, isListed: await Promise.all(lists) };
      }),
    );

  async function readStored({ id }: Agent): Promise<Agent[]> {
    const listed = await apps[0].agents.find(id);
    const rows = await database.engine.db.selectFrom('unlisted_agents').select('agent').where('id', '=', id).execute();
    return [...(listed ? [listed] : []), ...rows.map(({ agent }) => JSON.parse(agent!) as Agent)];
  }

  test('no update is lost, no agent is twice or nowhere, and nothing withdrawn or hidden is read', async () => {
    let edits = 0;
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(groups, async (given) => {
        const agents = Array.from({ length: AGENTS }, () => makeAgent());
        for (const agent of agents) agent.capabilities = [agent.id.slice(0, 8)];
        await apps[0].agents.load(agents);
        for (const { id } of agents) await operator.setKeyHash(id, hashKey(key));
        const known = agents.map((agent) => Object.fromEntries(fields.map((field) => [field, [agent[field]]])));
        for (const group of given) {
          const edited: { place: number; field: Field; value: string }[] = [];
          await Promise.all(group.map((one) => run(one, group)));
          for (const [place, agent] of agents.entries()) {
            const stored = await readStored(agent);
            expect(stored).toHaveLength(1);
            for (const field of fields) {
              const values = edited.filter((edit) => edit.place === place && edit.field === field);
              const possible = values.length > 0 ? values.map(({ value }) => value) : known[place]![field]!;
              expect(possible).toContain(stored[0]![field]);
              known[place]![field] = [stored[0]![field]];
            }
          }

          async function run({ kind, place, process, field }: Operation, all: readonly Operation[]): Promise<void> {
            const agent = agents[place]!;
            const isAlone = (...kinds: string[]) =>
              !all.some((other) => other.place === place && kinds.includes(other.kind));
            if (kind === 'edit' || kind === 'withdraw') {
              edits += 1;
              const value = field === 'contactEmail' ? `owner${edits}@example.com` : `Value ${edits}`;
              const { status } = await fetch(`${apps[process].url}/api/agents/${agent.id}`, {
                method: kind === 'edit' ? 'PATCH' : 'DELETE',
                headers: {
                  authorization: `Bearer ${key}`,
                  ...(kind === 'edit' && { 'content-type': 'application/json' }),
                },
                ...(kind === 'edit' && { body: JSON.stringify({ [field]: value }) }),
              });
              expect(status).toBeOneOf([200, 404, 410]);
              if (kind === 'edit' && status === 200) {
                saved += 1;
                edited.push({ place, field, value });
              }
              if (kind === 'withdraw' && status === 200 && isAlone('restore', 'hide')) {
                for (const seen of await look(agent)) expect(seen).toEqual({ status: 410, isListed: [false, false] });
              }
            } else if (kind === 'hide') {
              const { agents: hidden } = await operator.hide(byId(agent.id), 'Spam');
              if (hidden.length > 0 && isAlone('unhide')) {
                for (const seen of await look(agent)) expect(seen).toEqual({ status: 404, isListed: [false, false] });
              }
            } else if (kind === 'unhide' || kind === 'restore') {
              await operator[kind](byId(agent.id));
            } else if (kind === 'import') {
              expect(await operator.add([{ ...agent, name: 'Imported' }])).not.toEqual(['added']);
            } else {
              await look(agent);
            }
          }
        }
      }),
      { numRuns: 6 * rounds },
    );
    expect(saved).toBeGreaterThan(0);
  }, 120_000);
});
