import { MAX_REPORT_LENGTH, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../../stores.ts';
import { createOperatorStore, type OperatorStore, type ReportedAgent } from '../../operator/operator-store.ts';
import type { RegistryRecord } from '../../db/record-kinds.ts';
import { KEPT_REPORTS } from '../../agents/reports.ts';
import { forgetWithdrawn, WITHDRAWAL_PERIOD } from '../../agents/unlisted-agents.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

const agent = makeAgent({ name: 'Otter' });
const other = makeAgent({ name: 'Badger' });
const byId = ({ id }: Agent) => ({ ids: new Set([id]) });

describe.each(surfaceEngines)('reports on $name', ({ open }) => {
  let database: TestDatabase;
  let operator: OperatorStore;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    operator = createOperatorStore(database.engine);
    app = await startTestApp({ database });
  });

  beforeEach(() => database.empty());

  beforeEach(() => app.agents.load([agent, other]));

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function start(options: TestAppOptions = {}): Promise<TestApp> {
    const started = await startTestApp({ database, ...options });
    onTestFinished(() => started.close());
    return started;
  }

  const report = (body: unknown, { id } = agent, { url } = app) => postJson(`${url}/api/agents/${id}/reports`, body);

  async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
    const collected: Item[] = [];
    for await (const item of items) collected.push(item);
    return collected;
  }

  const readReported = (): Promise<ReportedAgent[]> => collect(operator.streamReported());

  test('a report is stored for the operator, and no public answer changes', async () => {
    const look = () =>
      Promise.all(
        ['/api/agents', `/api/agents/${agent.id}`, '/api/search?q=otter'].map(async (path) => {
          const response = await fetch(app.url + path);
          return [response.headers.get('etag'), await response.text()];
        }),
      );
    const before = await look();
    const first = await report({ reason: 'spam', text: ' Buy\nthis. ' });
    const stored = { reason: 'spam', text: 'Buy\nthis.', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect([first.status, await first.json()]).toEqual([201, stored]);
    expect((await report({ reason: 'broken', text: ' ' })).status).toBe(201);
    expect(await readReported()).toEqual([
      { agent, reports: [stored, { reason: 'broken', text: null, createdAt: expect.any(String) }] },
    ]);
    expect(await look()).toEqual(before);
    await operator.hide(byId(agent), 'Spam');
    expect(await readReported()).toEqual([]);
    expect((await fetch(`${app.url}/api/agents/${agent.id}/reports`)).status).toBe(405);
  });

  test('a report that is not as it must be is refused with a sentence, and nothing is stored', async () => {
    for (const [body, sentence] of [
      [{}, 'Reason must be one of misleading, impersonation, harmful, spam, broken, other.'],
      [{ reason: 'rude' }, 'Reason must be one of misleading, impersonation, harmful, spam, broken, other.'],
      [{ reason: 'spam', text: 'x'.repeat(MAX_REPORT_LENGTH + 1) }, 'Text can have at most 1,000 characters.'],
      [{ reason: 'spam', text: 5 }, 'Text must be text.'],
      [{ reason: 'spam', text: 'a\u0000b' }, 'Text must not have the invisible character U+0000.'],
      [{ reason: 'spam', text: 'a\u{E0068}b' }, 'Text must not have the invisible character U+E0068.'],
      [{ reason: 'spam', name: 'x' }, 'These fields are not accepted: name.'],
      [{ reason: 'spam', id: other.id }, 'These fields are not accepted: id.'],
    ] as const) {
      const response = await report(body);
      expect([response.status, await response.text()]).toEqual([400, sentence]);
    }
    expect(await readReported()).toEqual([]);
  });

  test('an agent that is unknown, hidden or withdrawn cannot be reported', async () => {
    await operator.hide(byId(agent), 'Spam');
    await operator.withdraw(byId(other));
    const statuses = [];
    for (const reported of [makeAgent(), agent, other])
      statuses.push((await report({ reason: 'spam' }, reported)).status);
    expect(statuses).toEqual([404, 404, 410]);
    await operator.unhide(byId(agent));
    expect(await readReported()).toEqual([]);
  });

  test('of each agent the first ten reports and the latest ten are kept, also of concurrent ones', async () => {
    const add = (text: string) => app.agents.report(agent.id, { reason: 'spam', text });
    const early = Array.from({ length: KEPT_REPORTS }, (_, index) => `Report ${index}`);
    for (const text of [...early, ...early]) await add(text);
    await report({ reason: 'other' }, other);
    const late = Array.from({ length: KEPT_REPORTS }, (_, index) => `Late ${index}`);
    await Promise.all(late.map(add));
    const reported = new Map((await readReported()).map(({ agent: { id }, reports }) => [id, reports]));
    expect(reported.get(other.id)).toHaveLength(1);
    const kept = reported.get(agent.id)?.map(({ text }) => text) ?? [];
    expect(kept.slice(0, KEPT_REPORTS)).toEqual(early);
    expect(new Set(kept.slice(KEPT_REPORTS))).toEqual(new Set(late));
  });

  test('a client has three reports of an agent a day, and an IPv6 /48 four times as many', async () => {
    const proxied = await start({ TRUST_PROXY: 1 });
    const from = (address: string, { id } = agent) =>
      postJson(`${proxied.url}/api/agents/${id}/reports`, { reason: 'spam' }, { 'x-forwarded-for': address });
    for (const status of [201, 201, 201, 429]) expect((await from('192.0.2.1')).status).toBe(status);
    const refused = await from('192.0.2.1');
    expect(await refused.text()).toBe(
      'Your address has sent more than 3 reports of this agent within a day. Try again in 24 hours.',
    );
    expect(refused.headers.get('ratelimit-policy')).toBe('"agent-report";q=3;w=86400');
    expect((await from('192.0.2.1', other)).status).toBe(201);
    expect((await from('192.0.2.2')).status).toBe(201);
    const statuses = [];
    for (let network = 0; network < 5; network += 1)
      for (let count = 0; count < 3; count += 1) statuses.push((await from(`2001:db8:1:${network}::1`)).status);
    expect(statuses).toEqual([...Array<number>(12).fill(201), 429, 429, 429]);
  });

  test('reports are limited like registrations, and counted apart, also while registration is closed', async () => {
    for (const REGISTRATION of ['open', 'closed'] as const) {
      const limited = await start({ REGISTRATION, REGISTER_LIMIT: 2, REGISTER_LIMIT_GLOBAL: 9, editLimit: 1 });
      await database.engine.db.deleteFrom('rate_limits').execute();
      const answers = [];
      for (let index = 0; index < 3; index += 1) answers.push(await report({ reason: 'spam' }, agent, limited));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
      expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"report";q=2;w=60, "report-all";q=9;w=60');
      expect(await answers[2]?.text()).toMatch(/^Your address has sent more than 2 reports within a minute\./);
      const registered = await postJson(`${limited.url}/api/agents`, makeNewAgent());
      expect(registered.status).toBe(REGISTRATION === 'open' ? 201 : 503);
    }
  });

  test('the metrics count reports by reason', async () => {
    const metrics = createMetrics();
    const counted = createAgentStore(database.engine, {
      onReported: (reason) => metrics.reports.inc({ reason }),
    });
    await counted.report(agent.id, { reason: 'harmful', text: null });
    await counted.report(crypto.randomUUID(), { reason: 'harmful', text: null });
    expect(await metrics.registry.metrics()).toContain('agents_reported_total{reason="harmful"} 1');
  });

  test('reports are in backups, and leave with the agent or when the operator dismisses them', async () => {
    for (const reported of [agent, other]) {
      await report({ reason: 'spam', text: 'One' }, reported);
      await report({ reason: 'broken' }, reported);
    }
    const records: RegistryRecord[] = await collect(operator.read());
    expect(records.filter(({ kind }) => kind === 'reports')).toHaveLength(2);
    const before = await readReported();
    expect(await operator.dismissReports([agent.id])).toBe(2);
    expect((await readReported()).map(({ agent: { id } }) => id)).toEqual([other.id]);
    await operator.replace(
      (async function* () {
        yield* records;
      })(),
    );
    expect(await readReported()).toEqual(before);

    await operator.withdraw(byId(agent));
    await forgetWithdrawn(database.engine.db, Date.now());
    await operator.restore(byId(agent));
    expect(await readReported()).toEqual(before);
    await operator.withdraw(byId(agent));
    await forgetWithdrawn(database.engine.db, Date.now() + WITHDRAWAL_PERIOD);
    await operator.erase(byId(other));
    expect(await database.engine.db.selectFrom('reports').selectAll().execute()).toEqual([]);
  });
});
