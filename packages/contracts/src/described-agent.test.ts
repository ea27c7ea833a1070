import { expect, test } from 'vitest';
import { describeLeft } from './connections/server-parts.ts';
import { describeCard, describeServer } from './described-agent.ts';

const card = {
  name: 'Desk',
  description: 'Answers.',
  skills: [{ name: 'Calls', examples: ['Call me back at noon.'] }],
};
const described = {
  name: 'Desk',
  description: 'Answers.',
  capabilities: ['Calls'],
  exampleTasks: ['Call me back at noon.'],
  apiAccess: 'yes',
};
const at = (host: string, file = 'agent-card.json') => ({
  ...described,
  website: `https://${host}/`,
  connections: [{ kind: 'a2a', card: `https://${host}/.well-known/${file}` }],
});

test.each<[string, object, object]>([
  ['0.2', { protocolVersion: '0.2.5', url: 'https://a.example.com/v1' }, at('a.example.com', 'agent.json')],
  [
    '0.3',
    { protocolVersion: '0.3.0', url: 'https://a.example.com/', preferredTransport: 'JSONRPC' },
    at('a.example.com'),
  ],
  [
    '0.3 by gRPC',
    { protocolVersion: '0.3.0', url: 'a.example.com:443', preferredTransport: 'GRPC' },
    at('a.example.com'),
  ],
  [
    '0.3 with more interfaces',
    {
      url: 'http://localhost:9999/',
      additionalInterfaces: [{ url: 'https://a.example.com/rest', transport: 'HTTP+JSON' }],
    },
    at('a.example.com'),
  ],
  [
    '1.0',
    { supportedInterfaces: [{ url: 'https://a.example.com/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
    at('a.example.com'),
  ],
  [
    '1.0 by gRPC',
    { supportedInterfaces: [{ url: 'a.example.com:443', protocolBinding: 'GRPC' }] },
    at('a.example.com'),
  ],
  ['without an address', { provider: { organization: 'A', url: 'https://a.example.com' } }, at('a.example.com')],
  ['without any address', {}, described],
])('a card of version %s is described', (_, given, fields) => {
  expect(describeCard({ ...card, ...given })).toEqual({ fields, left: [] });
});

test('texts beyond their bounds are cut, which is said', () => {
  const skills = [...Array.from({ length: 40 }, (_, index) => ({ name: `Skill ${index}` })), { name: 'x'.repeat(500) }];
  const { fields, left } = describeCard({ ...card, description: 'a '.repeat(2_000), skills });
  expect(fields).toMatchObject({ description: 'a '.repeat(1_000).trim(), capabilities: { length: 30 } });
  expect(left.map((part) => describeLeft(part))).toEqual([
    'description: it is cut at 2000 characters',
    'capabilities: only 30 of up to 60 characters are taken',
  ]);
  const server = { name: 'a/tides', description: 'x', websiteUrl: 'https://wiki.internal/', remotes: [] };
  expect(describeServer({ ...server, title: 'y '.repeat(200) }).left.map((part) => describeLeft(part))).toEqual([
    'name: it is cut at 100 characters',
  ]);
  expect(describeServer({ ...server, title: 5 }).fields).toEqual({ name: 5, description: 'x' });
});
