import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../start-messages.ts';
import { startReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { sendMessage, type WebhookMessage } from './webhook.ts';

const root = join(import.meta.dirname, '../../../..');
const secret = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`;
const url = 'https://registry.example/agent/3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f';
const message: WebhookMessage = {
  id: 'event_1',
  type: 'agent.held',
  timestamp: '2026-11-26T09:30:00.000Z',
  data: { id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', url, api: 'https://registry.example/api/agents/3f2b8c1e' },
};

let folder: string;
let chat: WebhookReceiver;
let relay: ChildProcess;

// As its README says: the example in a folder of its own, in which the package is installed.
beforeAll(async () => {
  chat = await startReceiver();
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-relay-'));
  await copyFile(join(root, 'examples/webhook-relay.mts'), join(folder, 'webhook-relay.mts'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(
    join(root, 'apps/api/node_modules/standardwebhooks'),
    join(folder, 'node_modules/standardwebhooks'),
    'junction',
  );
  await writeFile(join(folder, 'sendmail'), `#!/bin/sh\ncat >"${folder}/mail"\n`, { mode: 0o755 });
});

afterEach(async () => {
  const exit = once(relay, 'exit');
  relay.kill();
  await exit;
});

afterAll(async () => {
  await chat.close();
  await rm(folder, { recursive: true });
});

async function startRelay(env: Record<string, string>): Promise<string> {
  const port = await findFreePort(28_787);
  relay = spawn(process.execPath, ['webhook-relay.mts'], {
    cwd: folder,
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, WEBHOOK_SECRET: secret, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(relay.stdout!, 'data')) as [Buffer];
  expect(String(line)).toBe(`WEBHOOK_URL=http://127.0.0.1:${port}/\n`);
  return `http://127.0.0.1:${port}/`;
}

test('the relay posts events to a chat room, fails while the room does, and refuses those of others', async () => {
  const address = await startRelay({ CHAT_URL: chat.url });
  expect(await sendMessage({ url: address, secret }, message)).toBe(204);
  expect(chat.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ text: `agent.held ${url}` }]);

  chat.responses.push({ status: 500 });
  await expect(sendMessage({ url: address, secret }, message)).rejects.toThrow('status 502');
  const other = { url: address, secret: `whsec_${Buffer.alloc(24, 'other').toString('base64')}` };
  await expect(sendMessage(other, message)).rejects.toThrow('status 400');
  expect(chat.requests).toHaveLength(2);
});

test('the relay sends events as mail', async () => {
  const address = await startRelay({ MAIL_TO: 'moderators@example.com' });
  expect(await sendMessage({ url: address, secret }, message)).toBe(204);
  expect(await readFile(join(folder, 'mail'), 'utf8')).toBe(
    `To: moderators@example.com\nSubject: Registry: agent.held\n\n${url}\n`,
  );
});
