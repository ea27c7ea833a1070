// @vitest-environment jsdom
import type { RenderRequest } from '@agent-registry/api/page-renderer';
import {
  applyPatch,
  createManagementKey,
  createAgentUpdateSchema,
  createRegistrationSchema,
  defaultSiteConfig,
  editableFields,
  KEY_FIELD,
  newReportSchema,
  toManagePath,
  type Agent,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, test } from 'vitest';
import { manageByForm, prefillByForm, registerByForm, renderPage } from './entry-server.ts';
import { renderMarkup } from './render-markup.tsx';

const agentUpdateSchema = createAgentUpdateSchema(defaultSiteConfig.categories);
const registrationSchema = createRegistrationSchema(defaultSiteConfig.categories);

/** The fields of an agent as a script sends them, and the texts that a person types for them. */
type Case = [name: string, sent: Record<string, unknown>, typed: Record<string, string>];

const required = { name: 'Front Desk', description: 'Answers.', category: 'chatbot', contactEmail: 'a@example.com' };
const cases: Case[] = [
  ['a name', { name: 'Zoë & 🦦 + 100 %' }, { name: 'Zoë & 🦦 + 100 %' }],
  ['a name in blanks', { name: '  Desk ' }, { name: '  Desk ' }],
  ['lines', { description: 'One\n\n\tTwo' }, { description: 'One\n\n\tTwo' }],
  ['lines of Windows', { description: 'One\r\nTwo\rThree' }, { description: 'One\r\nTwo\rThree' }],
  ['lines around', { description: '\n\nOne\n' }, { description: '\n\nOne\n' }],
  ['as many lines as fit', { description: `x${'\n'.repeat(1_998)}x` }, { description: `x${'\n'.repeat(1_998)}x` }],
  ['a category', { category: 'vision' }, { category: 'vision' }],
  ['capabilities', { capabilities: ['voice', 'call  booking'] }, { capabilities: ' voice ,, call  booking,' }],
  ['no capabilities', { capabilities: [] }, { capabilities: ' ' }],
  ['a contact address', { contactEmail: ' b@example.com ' }, { contactEmail: ' b@example.com ' }],
  ['a website', { website: 'https://example.com/?a=1&b=%20#c' }, { website: 'https://example.com/?a=1&b=%20#c' }],
  ['no website', { website: null }, { website: '' }],
  ['a pricing model', { pricingModel: 'paid' }, { pricingModel: 'paid' }],
  ['API access', { apiAccess: 'planned' }, { apiAccess: 'planned' }],
  [
    'connections',
    {
      connections: [
        {
          kind: 'mcp-package',
          registry: 'npm',
          identifier: 'tides',
          version: '1.0.0',
          environment: [{ name: 'A_KEY', description: 'A_KEY' }],
        },
        { kind: 'mcp', transport: 'streamable-http', url: 'https://a.example.com/mcp' },
      ],
    },
    { connections: 'A_KEY=secret npx -y tides@1.0.0 secret\n{"url":\n"https://a.example.com/mcp"}' },
  ],
];

/** A registry with one agent: its calls validate as the procedures do, and note what they would store. */
function makeRequest(agent: Agent, url: string): { request: RenderRequest; stored: unknown[] } {
  const stored: unknown[] = [];
  const run = (procedure: string, input: unknown): unknown => {
    if (procedure === 'agents.register') return registrationSchema.parse(input);
    if (procedure === 'agents.update') {
      const { id: _, ...patch } = agentUpdateSchema.parse(input);
      const patched = Object.keys(patch);
      return { ...(patched.length > 0 && applyPatch(agent, patch)), patched };
    }
    return newReportSchema.parse(input);
  };
  const request: RenderRequest = {
    url,
    origin: 'https://registry.example',
    template: '<!--head--><!--page--><!--state-->',
    siteConfig: defaultSiteConfig,
    registration: 'open',
    countAgents: async () => 1,
    renderMarkup,
    call: async (procedure, input) => {
      if (procedure === 'agents.get') return { data: agent };
      if (procedure === 'agents.facts') return { data: { monthlyViews: null } };
      if (procedure === 'agents.history') return { data: [] };
      if (procedure === 'agents.byCategory') return { data: { agents: [], total: 0 } };
      try {
        stored.push(run(procedure, input));
        return { data: agent };
      } catch (error) {
        return { failure: { status: 400, detail: String(error) } };
      }
    },
  };
  return { request, stored };
}

/** The fields of a form as a browser without scripts posts them: with CRLF, and with what else the form holds. */
function submit(form: HTMLFormElement | undefined, typed: Record<string, string>): URLSearchParams {
  const fields = new FormData(form);
  for (const [name, value] of Object.entries(typed)) fields.set(name, value);
  return new URLSearchParams(
    [...fields].map(([name, value]) => [name, (value as string).replaceAll(/\r\n?|\n/g, '\r\n')]),
  );
}

/** The form of a page. */
async function readForm(request: RenderRequest): Promise<HTMLFormElement> {
  const { html } = await renderPage(request);
  const form = new DOMParser().parseFromString(html, 'text/html').querySelector('form[method=post]');
  return form as HTMLFormElement;
}

describe('the registration form', () => {
  test.each(cases)('stores %s as the API does', async (_name, sent, typed) => {
    const { request, stored } = makeRequest(makeAgent(), '/');
    const fields = submit(undefined, { ...required, ...typed, terms: 'on' });
    await registerByForm(request, { fields, managementKey: createManagementKey() });
    expect(stored).toEqual([registrationSchema.parse({ ...required, ...sent })]);
  });
});

describe('the form of an owner', () => {
  /** Posts the form of an agent with some fields edited. @returns what is stored */
  async function edit(agent: Agent, typed: Record<string, string> = {}) {
    const { request, stored } = makeRequest(agent, toManagePath(agent.id, 'edit'));
    const fields = submit(await readForm(request), { ...typed, [KEY_FIELD]: 'key' });
    await manageByForm(request, { id: agent.id, action: 'edit', fields, asOwner: request });
    return stored;
  }

  const agents: [string, Agent][] = [
    ['with defaults', makeAgent()],
    [
      'with every field',
      makeAgent({
        description: 'One\n\n\tTwo',
        capabilities: ['Summaries, short', 'voice', 'a "quoted" <b>'],
        website: 'https://example.com/?a=1&amp;b=%20#c',
        pricingModel: 'enterprise',
        apiAccess: 'planned',
      }),
    ],
    ['whose texts are older than the rules', makeAgent({ description: '\r\n\nOne\r\nTwo\rThree\n ', name: ' Desk ' })],
    ['of a removed category', makeAgent({ category: 'robots' })],
  ];

  test.each(agents)('that is posted as it is changes nothing of an agent %s', async (_name, agent) => {
    expect(await edit(agent)).toEqual([{ patched: [] }]);
  });

  test.each(cases)('stores %s as the API does, and leaves the other fields', async (_name, sent, typed) => {
    const agent = makeAgent({ capabilities: ['Summaries, short'], website: 'https://example.com/old' });
    const patch = agentUpdateSchema.parse({ id: agent.id, ...sent });
    expect(await edit(agent, typed)).toEqual([{ ...applyPatch(agent, patch), patched: Object.keys(sent) }]);
  });

  test('leaves fields that a form lacks', async () => {
    const agent = makeAgent({ capabilities: ['voice'], website: 'https://example.com/' });
    const { request, stored } = makeRequest(agent, toManagePath(agent.id, 'edit'));
    const fields = new URLSearchParams({ name: 'Renamed' });
    await manageByForm(request, { id: agent.id, action: 'edit', fields, asOwner: request });
    expect(stored).toEqual([expect.objectContaining({ patched: ['name'], capabilities: ['voice'] })]);
  });
});

describe.each([
  ['a registration', '/', { terms: 'on' }],
  ['a registration without terms', '/', {}],
  ['an edit', toManagePath(makeAgent().id, 'edit'), {}],
])('%s that is refused', (_what, url, terms) => {
  test.each(editableFields)('has a form with at most a little more than %s can have', async (name) => {
    const { request } = makeRequest(makeAgent(), url);
    const fields = new URLSearchParams({ ...required, ...terms, [name]: '<'.repeat(60_000) });
    const answer =
      url === '/'
        ? await registerByForm(request, { fields, managementKey: createManagementKey() })
        : await manageByForm(request, { id: makeAgent().id, action: 'edit', fields, asOwner: request });
    const html = 'html' in answer ? answer.html : '';
    expect(html).toContain('method="post"');
    expect(html.match(/<|&lt;|\\u003c/g)?.length).toBeLessThan(30_000);
  });
});

test.each([
  ['a registration', '/', { terms: 'on' }],
  ['an edit', toManagePath(makeAgent().id, 'edit'), {}],
])('%s with connections that cannot be read is refused without their values', async (_what, url, terms) => {
  const { request, stored } = makeRequest(makeAgent(), url);
  const connections = 'uvx tides\r\nX-Key: sk-live-4711\r\n{"env": {"A": "sk-live-4711"';
  const fields = new URLSearchParams({ ...required, ...terms, connections });
  const answer =
    url === '/'
      ? await registerByForm(request, { fields, managementKey: createManagementKey() })
      : await manageByForm(request, { id: makeAgent().id, action: 'edit', fields, asOwner: request });
  expect(stored).toEqual([]);
  expect(answer).toMatchObject({ status: 400 });
  const html = 'html' in answer ? answer.html : '';
  expect(html).toContain('Line 1: this PyPI package has no exact version: write tides==1.2.3');
  expect(html).toContain('- X-Key');
  expect(html).not.toContain('4711');
});

test.each([
  ['is listed', ''],
  ['is held', '#waiting'],
])('an edit that %s leads to the page at %j', async (_what, hash) => {
  const agent = makeAgent();
  const { request } = makeRequest(agent, toManagePath(agent.id, 'edit'));
  const held: RenderRequest = {
    ...request,
    call: async (procedure, input) => ({ ...(await request.call(procedure, input)), isHeld: hash !== '' }),
  };
  const fields = new URLSearchParams({ name: 'Renamed' });
  expect(await manageByForm(held, { id: agent.id, action: 'edit', fields, asOwner: held })).toEqual({
    location: `/agent/${agent.id}${hash}`,
  });
});

test.each([
  ['One\nTwo', 'One\nTwo'],
  ['', null],
  [' \n', null],
])('the form of a report stores the text %j as %j', async (typed, text) => {
  const agent = makeAgent();
  const { request, stored } = makeRequest(agent, toManagePath(agent.id, 'report'));
  const fields = submit(undefined, { reason: 'spam', text: typed });
  await manageByForm(request, { id: agent.id, action: 'report', fields, asOwner: request });
  expect(stored).toEqual([{ id: agent.id, reason: 'spam', text }]);
});

describe('the form that fills in a registration', () => {
  const post = async (answer: object, url = 'website.example') => {
    const { request } = makeRequest(makeAgent(), '/');
    const calls: unknown[] = [];
    const page = await prefillByForm(
      {
        ...request,
        call: async (procedure, input) => {
          if (procedure !== 'prefill.read') return request.call(procedure, input);
          calls.push(input);
          return answer as never;
        },
      },
      new URLSearchParams({ url }),
    );
    return { page, calls };
  };

  test('is answered with the filled form, which no cache may keep', async () => {
    const source = 'agent-card.json';
    const data = { fields: [{ field: 'name', value: '<i>Desk</i>', source }], category: null, redirectsTo: null };
    const { page, calls } = await post({ data });
    expect(calls).toEqual([{ url: 'https://website.example' }]);
    expect(page).toMatchObject({ status: 200, isComplete: false });
    expect(page.html).toContain('value="&lt;i&gt;Desk&lt;/i&gt;"');
    expect(page.html).toContain('One field was filled in.');
    expect(page.html).not.toContain('role="alert"');
  });

  test('is answered with the reason where nothing could be read', async () => {
    const { page } = await post({ failure: { status: 422, detail: 'Nothing could be read' } });
    expect(page).toMatchObject({ status: 422, isComplete: false });
    expect(page.html).toContain('Nothing could be read.');
  });
});
