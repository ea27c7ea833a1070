import {
  API_REFERENCE_PATH,
  CHALLENGE_PATH,
  endpoints,
  IDEMPOTENCY_KEY_HEADER,
  MANAGEMENT_KEY_HEADER,
  PUBLISH_SKILL_PATH,
  REGISTRATION_CLOSED,
  toEntrySlug,
  toSkillType,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Surface } from '../api/surface.ts';
import { constantRoute } from '../cache/response-cache.ts';
import { escapeMarkdown } from './markdown/escape-markdown.ts';

/** Serves the skill (agentskills.io) that teaches assistants to list the agent of their user here. */
export function registerPublishSkill(app: FastifyInstance, surface: Surface): void {
  const { cache, toOrigin } = surface;
  const write = (request: FastifyRequest) => writeSkill(surface, toOrigin(request));
  app.get(PUBLISH_SKILL_PATH, constantRoute(cache, toSkillType('md'), write, toOrigin));
}

function writeSkill({ siteConfig: { name, categories }, registration }: Surface, origin: string): string {
  const toUrl = (call: 'agents.challenge' | 'agents.claim' | 'agents.update') =>
    origin + endpoints[call].path.replace('{id}', '$id');
  const description = `List the user's AI agent or MCP server in ${name}, a public directory at ${origin}, prove its website and say how to connect. Use it when the user wants an agent of theirs to be found.`;
  const closed =
    registration === 'closed' ? `${REGISTRATION_CLOSED}: only an entry that is listed can be claimed. ` : '';
  return `---
name: publish-${toEntrySlug({ name, website: origin }, 50)}
description: ${JSON.stringify(description)}
---

# List an agent in ${escapeMarkdown(name)}

It needs no account. ${closed}Show the user what you are about to send, and wait for a yes. Invent nothing.

## 1. Ask

- name, description (one to three sentences) and website
- the category, one of ${categories.map(({ id }) => `\`${id}\``).join(', ')}
- a contact email, which everybody can read
- whether they may list this agent, and agree that all of this is public

Then look whether it is listed. If it is, go on with 4 and the id that you found:

\`\`\`sh
curl -sS --get ${origin}${endpoints['agents.list'].path} --data-urlencode website=https://marmot.example.com
\`\`\`

## 2. Make the key

It is the only way to change the entry later, and the registry has its hash only. The user keeps it with their passwords, never in a repository, a message or an address.

\`\`\`sh
(umask 077 && openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n' > agent-registry.key)
\`\`\`

## 3. Register

\`\`\`sh
curl -sS ${origin}${endpoints['agents.register'].path} -H "${MANAGEMENT_KEY_HEADER}: $(cat agent-registry.key)" -H "${IDEMPOTENCY_KEY_HEADER}: $(openssl rand -hex 16)" \\
  --json '{"name": "Marmot Mail", "description": "Sorts a shared mailbox.", "category": "${categories[0]?.id}", "contactEmail": "owner@marmot.example.com", "website": "https://marmot.example.com"}'
\`\`\`

201 is listed, 202 waits for the operator; a 400 says which field is wrong. Keep the \`id\` of the answer.

## 4. Prove the website

\`\`\`sh
id=…
curl -sS -X POST "${toUrl('agents.challenge')}" -H "${MANAGEMENT_KEY_HEADER}: $(cat agent-registry.key)"
\`\`\`

The user puts the challenge at \`https://marmot.example.com${CHALLENGE_PATH}\`; of a repository the answer to the next call names the file. Then, within 24 hours:

\`\`\`sh
curl -sS -X POST "${toUrl('agents.claim')}" -H "${MANAGEMENT_KEY_HEADER}: $(cat agent-registry.key)"
\`\`\`

## 5. Say how to connect

\`\`\`sh
curl -sS -X PATCH "${toUrl('agents.update')}" -H "Authorization: Bearer $(cat agent-registry.key)" --json '{"connections": [{"kind": "mcp", "transport": "streamable-http", "url": "https://marmot.example.com/mcp"}]}'
\`\`\`

Other kinds and all fields: ${origin}${API_REFERENCE_PATH}. Never send values of headers, variables or keys in them. Give the user ${origin}/agent/ID.
`;
}
