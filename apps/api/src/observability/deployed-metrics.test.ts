import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Dashboard } from '@grafana/schema';
import { afterAll, expect, test } from 'vitest';
import dashboard from '../../../../deploy/grafana-dashboard.json' with { type: 'json' };
import { engines } from '../testing/engines.ts';
import { createMetrics, addModerationGauges } from './metrics.ts';

/** A type whose literals are any text or number, as the import of a JSON file has them. */
type Widened<Type> = Type extends string
  ? string
  : Type extends number
    ? number
    : Type extends object
      ? { [Key in keyof Type]: Widened<Type[Key]> }
      : Type;

const { panels, templating } = dashboard satisfies Widened<Dashboard>;
const [sqlite] = engines;
const database = await sqlite.open();
const { registry } = createMetrics();
addModerationGauges(registry, database.engine.db);
const metrics = registry.getMetricsAsArray().map(({ name, type }) => ({ name, type: String(type) }));
const series = new Set(
  metrics.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  ),
);

const DEPLOY = new URL('../../../../deploy/', import.meta.url);
const alerts = await readFile(new URL('alerts.yml', DEPLOY), 'utf8');
const rules = alerts
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => ({ name: /^\w+/.exec(text)?.[0], expr: /expr: (.+)/.exec(text)?.[1] ?? '', text }));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

afterAll(() => database.remove());

/** The series that a PromQL expression names. */
function namesOf(expression: string): string[] {
  const rest = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) \([^)]*\)/g, ' ')
    .replaceAll(/\b(?:and|unless)\b|\b[a-z_]+\s*\(/g, ' ');
  return rest.match(/[a-z_][a-z_\d:]*/g) ?? [];
}

test('the dashboard and the alerts name only metrics of the registry', () => {
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  // Of Prometheus, of node_exporter, and of the backup job.
  const others = /^(?:up$|node_|backup_last_success_timestamp_seconds$)/;
  const named = [...queries, ...rules.map(({ expr }) => expr)].flatMap(namesOf).filter((name) => !others.test(name));
  expect(named.length).toBeGreaterThan(queries.length);
  expect(named.filter((name) => !series.has(name))).toEqual([]);
});

test('the alerts name only queues that there are', async () => {
  const named = [...alerts.matchAll(/queue="(\w+)"/g)].map(([, queue]) => queue);
  const text = await registry.getSingleMetricAsString('moderation_queue_oldest_seconds');
  expect(new Set(named)).toEqual(new Set([...text.matchAll(/queue="(\w+)"/g)].map(([, queue]) => queue)));
});

test.each(rules)('the alert $name reads only the jobs of the registry, and has a severity and a sentence', (rule) => {
  expect(namesOf(rule.expr.replaceAll(/\w+\{job="agent-registry(?:-node)?"[^}]*\}/g, ''))).toEqual([]);
  expect(rule.text).toMatch(/^ +labels: \{ severity: (?:critical|warning) \}$/m);
  expect(rule.text).toMatch(/^ +summary: '.{20,}\.'$/m);
});

test.skipIf(!hasPromtool)(
  'each alert fires by the metrics of the registry, and none by others (needs promtool)',
  async () => {
    const tests = new URL('alerts.test.yml', DEPLOY);
    const [, fired = ''] = (await readFile(tests, 'utf8')).split(/^  - name: /m);
    expect(Array.from(fired.matchAll(/alertname="(\w+)"/g), ([, name]) => name)).toEqual(rules.map(({ name }) => name));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', fileURLToPath(tests)], {
      encoding: 'utf8',
    });
    expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 });
  },
);

test('every metric of the registry itself is on the dashboard', () => {
  const text = JSON.stringify(panels);
  const own = metrics.filter(({ name }) => !/^(process|nodejs)_/.test(name));
  expect(own.filter(({ name }) => !text.includes(name))).toEqual([]);
});

test('panels have ids of their own, do not overlap, and read the chosen data source', () => {
  expect(templating.list.map(({ name, type }) => `${type} ${name}`)).toEqual(['datasource datasource']);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  const sources = panels.flatMap(({ datasource, targets }) => [
    datasource,
    ...targets.map((target) => target.datasource),
  ]);
  expect(new Set(sources.map(({ uid }) => uid))).toEqual(new Set(['${datasource}']));
});
