import { createManagementKey } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../config.ts';
import { defaultServerOptions } from '../server-options.ts';
import type { Engine } from '../db/engine.ts';
import { openDatabase } from '../db/open-database.ts';
import { createRateLimiter } from '../rate-limit/rate-limiter.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const server = { kind: 'mcp', transport: 'streamable-http', url: 'https://example.com/mcp' } as const;

describe.each(engines)('a group of registrations on $name', ({ open }) => {
  let database: TestDatabase;
  let engine: Engine;
  let statements = 0;

  beforeAll(async () => {
    database = await open();
    const options = { serverNamespace: 'example.registry', onQuery: () => (statements += 1) };
    ({ engine } = await openDatabase(database.url, options));
  });

  afterAll(async () => {
    await engine.close();
    await database.remove();
  });

  test.each([
    ['listed', {}, {}],
    ['held', { isHeld: true }, {}],
    ['without keys', { key: undefined }, {}],
    ['of MCP servers', {}, { connections: [server] }],
  ])('that are %s runs as many statements as one', async (state, options, fields) => {
    const store = createAgentStore(engine);
    const config = { ...defaultConfig, ...defaultServerOptions, REGISTER_LIMIT: 1_000, REGISTER_LIMIT_GLOBAL: 1_000 };
    const limiter = createRateLimiter(config, createRateLimitStore(engine));
    let last = 0;
    const register = async (count: number) => {
      statements = 0;
      const registered = Array.from({ length: count }, () => {
        const prepared = limiter.prepare('register', '2001:db8::1', { bytes: 100 });
        const agent = makeNewAgent({ name: `Otter ${(last += 1)}`, capabilities: ['a', `b ${last}`], ...fields });
        return store.registerOnce(`${state} ${last}`, agent, { key: createManagementKey(), prepared, ...options });
      });
      await Promise.all(registered);
      return statements;
    };
    // The first one ends old windows, and on SQLite one of eight merges segments of the token index.
    const alone: number[] = [];
    for (let round = 0; round < 9; round += 1) alone.push(await register(1));
    expect(await register(10)).toBe(Math.max(...alone.slice(1)));
  });
});
