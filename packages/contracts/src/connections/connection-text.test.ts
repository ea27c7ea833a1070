import { expect, test } from 'vitest';
import { connectionsSchema } from './connection-schema.ts';
import { parseConnections, writeConnections } from './connection-text.ts';

const written = `mcp https://tides.example.com/mcp
- X-Api-Key asks for Key: from your account (see there)
- X-Lang (optional, public) asks for Language
mcp sse https://tides.example.com/sse
npm @example/tides@1.4.0
- TIDES_KEY (optional) asks for Key
npm tides@2.0.0-beta.1 ${'ab'.repeat(32)}
pypi tides@1.4.0
oci ghcr.io/example/tides:1.4.0
mcpb https://github.com/example/tides-mcp/releases/download/v1/tides.mcpb 1.0.0 ${'cd'.repeat(32)}
a2a https://tides.example.com/.well-known/agent-card.json`;

const more = `skill https://tides.example.com/skill.md
skill zip https://tides.example.com/skill.zip
openapi https://tides.example.com/openapi.json`;

test.each([written, more])('What is written is read the same', (text) => {
  const connections = connectionsSchema.parse(parseConnections(text));
  expect(writeConnections(connections)).toBe(text);
  expect(connectionsSchema.parse(connections)).toEqual(connections);
});

test.each([
  ['https://a.example.com/mcp', 'mcp https://a.example.com/mcp'],
  ['  https://a.example.com/sse/ ', 'mcp sse https://a.example.com/sse/'],
  ['MCP http https://a.example.com/mcp\r', 'mcp https://a.example.com/mcp'],
  ['https://a.example.com/.well-known/agent.json', 'a2a https://a.example.com/.well-known/agent.json'],
  ['https://a.example.com/SKILL.md', 'skill https://a.example.com/SKILL.md'],
  ['https://a.example.com/v1/openapi.yaml', 'openapi https://a.example.com/v1/openapi.yaml'],
  ['skill https://a.example.com/x.zip', 'skill zip https://a.example.com/x.zip'],
  ['pypi tides==1.4.0', 'pypi tides@1.4.0'],
  ['nuget Example.Tides 1.4.0', 'nuget Example.Tides@1.4.0'],
])('%s', (text, read) => {
  expect(writeConnections(connectionsSchema.parse(parseConnections(text)))).toBe(read);
});

test.each([
  ['tides', 'connections[0].kind must be one of mcp, mcp-package, a2a, skill, openapi'],
  ['npm', 'connections[0].identifier must be a name such as @example/tides'],
  ['npm tides', 'connections[0].version is required'],
  [
    'mcp https://a.example.com/\n- Host: x',
    'connections[0].headers[0].name must not be Host, which clients set themselves',
  ],
  ['a2a https://a.example.com/\n- X-Key: x', 'connections[0] must not have the fields headers'],
  ['- X-Key: x', 'connections[0].kind must be one of mcp, mcp-package, a2a, skill, openapi'],
])('%s is refused', (text, fault) => {
  const { error } = connectionsSchema.safeParse(parseConnections(text));
  expect(error?.issues.map(({ message }) => message)).toContain(fault);
});
