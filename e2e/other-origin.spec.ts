import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { createClient } from '@agent-registry/client';
import { startRegistry } from './registry.ts';
import { expect, test } from './test.ts';

const builtClient = join(import.meta.dirname, '../packages/client/dist/index.js');

// A refused registration is an error in the console.
test.use({ expectedErrors: /400 \(Bad Request\)/ });

test(
  'on a page of another origin the client and MCP work by default',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    const script = await readFile(builtClient);
    const server = createServer((request, response) => {
      const isScript = request.url === '/client.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<!doctype html><link rel="icon" href="data:," />');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const registry = await startRegistry([], { CORS_ORIGINS: origin });

    await page.goto(origin, { waitUntil: 'load' });
    const result = await page.evaluate(async (url) => {
      const module = '/client.js';
      const client = (await import(module)) as { createClient: typeof createClient };
      const { agents } = client.createClient({ url });
      const newAgent = {
        name: 'Front Desk',
        description: 'Answers calls.',
        category: 'chatbot',
        contactEmail: 'owner@example.com',
      } as const;
      const registered = await agents.register.mutate(newAgent, { context: { idempotencyKey: crypto.randomUUID() } });
      let total = '';
      const context = { onHeaders: (headers: Headers) => void (total = headers.get('X-Total-Count') ?? '') };
      const listed = await agents.list.query({ limit: 1 }, { context });
      const error: unknown = await agents.register.mutate({ ...newAgent, name: '' }).catch((reason: unknown) => reason);
      // As an MCP client sends it: each header makes the browser ask first.
      const protocolVersion = '2026-07-28';
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': protocolVersion,
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'search_agents',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'search_agents',
            arguments: { query: 'front desk' },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': protocolVersion,
              'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1.0.0' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      const message = (await response.json()) as { result: { structuredContent: { agents: { id: string }[] } } };
      const found = message.result.structuredContent.agents.map(({ id }) => id);
      return { registered, listed, total, found, errors: (error as { errors: unknown }).errors };
    }, registry.url);
    expect(result).toEqual({
      registered: expect.objectContaining({ name: 'Front Desk' }),
      listed: [result.registered],
      total: '1',
      found: [result.registered.id],
      errors: [{ field: 'name', message: 'Name is required' }],
    });
    server.close();
    await registry.stop();
  },
);
