import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runRegistry } from '../cli/run-registry.ts';
import { readConfig } from '../config.ts';
import { startServerProcess } from '../testing/processes.ts';
import { postJson } from '../testing/test-app.ts';
import { startReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { runsAll } from '../testing/tier.ts';

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`;
let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

const settings = () => ({ WEBHOOK_URL: receiver.url, WEBHOOK_SECRET, PUBLIC_URL: 'https://registry.example' });

test.runIf(runsAll)(
  'a server delivers events, counts failures, and logs neither the secret nor the address',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const env = {
      ...settings(),
      PORT: '0',
      METRICS_PORT: '0',
      SHUTDOWN_DELAY: '0',
      SAMPLE_DATA: 'off',
      LOG_LEVEL: 'trace',
      DATABASE_URL: `file:${join(folder, 'registry.db')}`,
    };
    const server = await startServerProcess(folder, env, { options: { webDir: join(folder, 'no-web') } });
    receiver.responses.push({ status: 204 }, { status: 302, location: '/elsewhere' });
    const response = await postJson(`${server.url}/api/agents`, makeNewAgent());
    const { id } = (await response.json()) as Agent;
    await postJson(`${server.url}/api/agents`, makeNewAgent());
    await receiver.received(2);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/token-of-a-room', '/token-of-a-room']);
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ type: 'agent.listed', data: { id } });
    const { port } = (
      JSON.parse(server.log.find((line) => line.includes('Metrics are served')) ?? '{}') as {
        address: { port: number };
      }
    ).address;
    const readMetrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(readMetrics).toContain('webhook_deliveries_total{result="failed"} 1');
    await expect.poll(readMetrics).toContain('webhook_deliveries_total{result="sent"} 1');
    expect(await readMetrics()).toContain('webhook_deliveries_total{result="dropped"} 0');
    expect(await server.stop('SIGTERM')).toBe(0);
    const log = server.log.join('\n');
    expect(log).toContain('The webhook answered with status 302.');
    expect(log).not.toMatch(/whsec|token-of-a-room/);
  },
);

test('registry webhook test sends a signed message and prints the status, never the secret or the address', async () => {
  const run = (env: Record<string, string>) => runWebhook(env, 'test');
  expect(await run(settings())).toEqual({ code: 0, stdout: 'The webhook answered with status 204.\n', stderr: '' });
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ type: 'webhook.test', data: {} });
  receiver.responses.push({ status: 307, location: '/elsewhere' });
  expect(await run(settings())).toEqual({ code: 1, stdout: '', stderr: 'The webhook answered with status 307.\n' });
  expect(await run({ ...settings(), WEBHOOK_URL: 'http://127.0.0.1:9/token-of-a-room' })).toMatchObject({
    code: 1,
    stderr: expect.not.stringContaining('token-of-a-room'),
  });
  expect(await run({})).toEqual({ code: 1, stdout: '', stderr: 'WEBHOOK_URL is not set.\n' });
});

async function runWebhook(env: Record<string, string>, ...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runRegistry(['webhook', ...args], { stdout, stderr, loadConfig: () => readConfig(env) });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}
