import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sendBytes, startTestApp, type TestApp } from '../../testing/test-app.ts';

const agent = makeAgent();
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true });
  await app.agents.load([agent]);
});

afterAll(() => app.close());

/** Sends a request with these lines; returns the status and the body. */
async function ask(...lines: string[]): Promise<string> {
  const answer = await sendBytes(app.url, [...lines, 'Connection: close', '', ''].join('\r\n'));
  const [head = '', body] = answer.split('\r\n\r\n');
  return `${head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)} ${body}`;
}

describe('a Host', () => {
  test.each(['a b', 'user@real.example', 'x/y', 'real.example:http', 'a"b', "a'b", '<x>', 'x:99999', '[::1', ''])(
    'of %j is refused',
    async (host) => {
      expect(await ask('GET /api/stats HTTP/1.1', `Host: ${host}`)).toBe('400 The Host header is not a valid host.');
    },
  );

  test.each(['x', 'real.example:8080', '127.0.0.1', '[::1]:3000', 'REAL.example'])(
    'of %s is accepted',
    async (host) => {
      expect(await ask('GET /api/stats HTTP/1.1', `Host: ${host}`)).toMatch(/^200 /);
    },
  );

  test.each(['real.example', 'other.example'])(
    'is refused when it is sent twice, the second being %s',
    async (host) => {
      expect(await ask('GET / HTTP/1.1', 'Host: real.example', `Host: ${host}`)).toBe(
        '400 The request has more than one Host header.',
      );
    },
  );

  test('is optional only in HTTP/1.0', async () => {
    expect(await ask('GET /api/stats HTTP/1.0')).toMatch(/^200 /);
    expect(await ask('GET /api/stats HTTP/1.1')).toBe('400 The request has no Host header.');
  });
});

describe('a target in absolute form', () => {
  test.each([
    ['http://real.example/', '/'],
    ['http://real.example', '/'],
    ['HTTP://real.example?q=x', '/?q=x'],
    [`http://real.example/agent/${agent.id}`, `/agent/${agent.id}`],
  ])('(%s) is served as the page %s of its host', async (target, url) => {
    const answer = await ask(`GET ${target} HTTP/1.1`, 'Host: other.example');
    expect(answer).toMatch(/^200 /);
    expect(answer).toContain(JSON.stringify({ url, origin: 'http://real.example' }).slice(0, -1));
  });

  test('is served by the API, too', async () => {
    const target = `http://real.example/api/agents/${agent.id}`;
    expect(await ask(`GET ${target} HTTP/1.1`, 'Host: real.example')).toBe(`200 ${JSON.stringify(agent)}`);
  });

  test('with an invalid host is refused', async () => {
    expect(await ask('GET http://user@real.example/ HTTP/1.1', 'Host: real.example')).toMatch(/^400 /);
  });
});
