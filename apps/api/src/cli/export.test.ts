import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordKinds } from '../db/record-kinds.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { createAgentStore } from '../stores.ts';
import { engines } from '../testing/engines.ts';
import { readVisible } from './export.ts';

describe.each(engines)('an export on $name', ({ open }) => {
  test('reads the listed agents and, of the records behind all agents, only the first', async () => {
    const database = await open();
    onTestFinished(() => database.remove());
    const agents = createAgentStore(database.engine);
    const operator = createOperatorStore(database.engine);
    const { agent: hidden } = await agents.register(makeNewAgent());
    await operator.hide({ ids: new Set([hidden.id]) }, 'spam');
    const listed = [makeAgent(), makeAgent()];
    await agents.load(listed);

    const kinds: string[] = [];
    const read = async function* () {
      for await (const record of operator.read()) {
        kinds.push(record.kind);
        yield record;
      }
    };
    const exported: string[] = [];
    for await (const { id } of readVisible({ read })) exported.push(id);
    expect(exported.toSorted()).toEqual(listed.map(({ id }) => id).toSorted());
    expect(kinds.filter((kind) => kind in recordKinds)).toHaveLength(1);
    expect(kinds).toContain('hidden');
  });
});
