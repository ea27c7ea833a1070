import { createManagementKey } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { createWebhookStore } from './webhook-store.ts';

const key = createManagementKey();
const reason = 'No';

/** What a command does to an agent. */
const commands = {
  hide: (store, id) => store.hide(select(id), reason),
  unhide: (store, id) => store.unhide(select(id)),
  withdraw: (store, id) => store.withdraw(select(id)),
  restore: (store, id) => store.restore(select(id)),
  release: (store, id) => store.release(select(id)),
  refuse: (store, id) => store.refuse(select(id), reason),
  hold: (store, id) => store.hold(select(id)),
  edit: (store, id) => store.edit(select(id), { name: 'Stoat' }),
  erase: (store, id) => store.erase(select(id)),
  'reset the key': (store, id) => store.setKeyHash(id, 'c0ffee'),
  'dismiss reports': (store, id) => store.dismissReports([id]),
} as const satisfies Record<string, (store: OperatorStore, id: string) => Promise<unknown>>;
type Command = keyof typeof commands;

/** How an agent begins: listed, held, or listed with an edit that waits. */
type Beginning = 'listed' | 'held' | 'proposed';

const table: [beginning: Beginning, before: Command[], command: Command, events: string[]][] = [
  ['listed', [], 'hide', ['removed']],
  ['listed', [], 'withdraw', ['removed']],
  ['listed', [], 'erase', ['removed']],
  ['listed', [], 'edit', ['updated']],
  ['listed', [], 'hold', ['removed', 'held']],
  ['listed', [], 'reset the key', []],
  ['listed', [], 'dismiss reports', []],
  ['listed', ['hide'], 'unhide', ['listed']],
  ['listed', ['hide'], 'hide', []],
  ['listed', ['hide'], 'withdraw', []],
  ['listed', ['hide', 'withdraw'], 'restore', []],
  ['listed', ['withdraw'], 'restore', ['listed']],
  ['held', [], 'release', ['listed']],
  ['held', [], 'refuse', []],
  ['held', [], 'hide', []],
  ['held', [], 'withdraw', []],
  ['held', [], 'edit', []],
  ['held', [], 'erase', []],
  ['held', [], 'hold', []],
  ['held', ['refuse'], 'hold', ['held']],
  ['held', ['hide'], 'unhide', ['held']],
  ['held', ['refuse', 'hide'], 'unhide', ['held']],
  ['held', ['withdraw'], 'restore', ['held']],
  ['held', ['withdraw', 'hide'], 'unhide', []],
  ['proposed', [], 'release', ['updated']],
  ['proposed', [], 'refuse', []],
  ['proposed', [], 'edit', ['updated']],
  ['proposed', [], 'hide', ['removed']],
  ['proposed', ['hide'], 'unhide', ['listed', 'held']],
  ['proposed', ['withdraw'], 'restore', ['listed', 'held']],
  ['proposed', ['refuse'], 'hold', ['held']],
  ['proposed', ['release'], 'hold', ['updated', 'held']],
];

describe.each(surfaceEngines)('events of the operator’s commands on $name', ({ open }) => {
  let database: TestDatabase;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    operator = createOperatorStore(database.engine);
  });

  beforeEach(async () => {
    await database.empty();
    await createWebhookStore(database.engine.db).setConfigured(true);
  });

  afterAll(() => database.remove());

  async function begin(beginning: Beginning): Promise<string> {
    const agents = createAgentStore(database.engine);
    const { agent } = await agents.register(makeNewAgent({ name: 'Otter' }), { isHeld: beginning === 'held', key });
    const review = { except: new Set<never>() };
    if (beginning === 'proposed') await agents.update(agent.id, { key }, { description: 'New.' }, review);
    return agent.id;
  }

  const readEvents = () => database.engine.db.selectFrom('operator_events').selectAll().orderBy('number').execute();

  test.each(table)('%s, after %j: %s sends %j', async (beginning, before, command, events) => {
    const id = await begin(beginning);
    for (const earlier of before) await commands[earlier](operator, id);
    const known = await readEvents();
    await commands[command](operator, id);
    const added = (await readEvents()).filter(({ number }) => known.every((event) => event.number !== number));
    expect(added.map(({ type, agent_id }) => [type, agent_id])).toEqual(events.map((type) => [`agent.${type}`, id]));
  });

  test('an import sends that agents are listed', async () => {
    const agent = makeAgent();
    await operator.add([agent]);
    expect(await readEvents()).toMatchObject([{ type: 'agent.listed', agent_id: agent.id }]);
  });
});

function select(id: string) {
  return { ids: new Set([id]) };
}
