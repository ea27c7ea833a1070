import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Agent } from '@agent-registry/contracts';
import { expect, onTestFinished, test } from 'vitest';
import { engines } from '../../testing/engines.ts';
import { startHttpsWebsite } from '../../testing/https-website.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { openWebsiteChecks } from '../../website-check/check-website.ts';

const run = promisify(execFile);

async function start(options = {}) {
  const database = await engines[0].open();
  const files = { challenge: '' };
  const website = await startHttpsWebsite((_request, response) => response.end(files.challenge));
  const websites = await openWebsiteChecks(database.engine, website);
  const app = await startTestApp({ database, withSite: true, websites, ...options });
  onTestFinished(async () => {
    website.close();
    await app.close();
    await database.remove();
  });
  const skill = await (await fetch(`${app.url}/publish/skill.md`)).text();
  return { app, files, skill };
}

test('the skill for owners is a skill of at most 60 lines', async () => {
  const { skill, app } = await start();
  const { headers } = await fetch(`${app.url}/publish/skill.md`);
  expect(headers.get('content-type')).toBe('application/agent-skills+md');
  const [, front = ''] = /^---\n(.*?)\n---\n/s.exec(skill) ?? [];
  expect(front).toMatch(/^name: [a-z](?:-?[a-z\d])*\ndescription: ".{1,1024}"$/);
  expect(skill.split('\n').length).toBeLessThanOrEqual(61);
  const { skill: closed } = await start({ REGISTRATION: 'closed' });
  expect(closed).toContain('Registration is closed');
});

const isInstalled = ['curl', 'openssl'].every((name) => spawnSync(name, ['version']).error === undefined);

test.skipIf(!isInstalled)('its commands list an agent, prove its website and say how to connect', async () => {
  const { app, files, skill } = await start();
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-skill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let id = '';
  const [look, makeKey, register, challenge, claim, connect, ...others] = Array.from(
    skill.matchAll(/```sh\n(.*?)```/gs),
    ([, text = '']) =>
      async () => {
        const commands = text.replaceAll('marmot.example.com', 'website.example').replace('id=…', '');
        const { stdout } = await run('/bin/sh', ['-ec', commands], { cwd: folder, env: { ...process.env, id } });
        return JSON.parse(stdout || 'null') as Agent & { challenge: string };
      },
  );
  expect(others).toEqual([]);
  expect(await look!()).toEqual([]);
  await makeKey!();
  const agent = await register!();
  ({ id } = agent);
  expect(await look!()).toMatchObject([{ id }]);
  files.challenge = (await challenge!()).challenge;
  expect(await claim!()).toMatchObject({ id, websiteProof: 'host' });
  const { connections } = await connect!();
  expect(await app.agents.find(id)).toMatchObject({ connections, name: 'Marmot Mail', websiteProof: 'host' });
});
