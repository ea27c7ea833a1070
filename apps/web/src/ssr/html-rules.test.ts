// @vitest-environment jsdom
import type { RenderRequest } from '@agent-registry/api/page-renderer';
import {
  defaultSiteConfig,
  ownerActions,
  toComparePath,
  toManagePath,
  toSharedPath,
  type HistoryEntry,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, test } from 'vitest';
import { renderPage } from './entry-server.ts';
import { renderMarkup } from './render-markup.tsx';

const [agent, other] = ['Ant', 'Bee'].map((name) =>
  makeAgent({
    name,
    website: 'https://example.com/',
    capabilities: ['one', 'two', 'three', 'four'],
    exampleTasks: ['Find me a table for four on Friday.'],
    connections: [
      { kind: 'mcp', transport: 'streamable-http', url: 'https://example.com/mcp' },
      { kind: 'mcp-package', registry: 'npm', identifier: 'ant' },
    ],
  }),
) as [ReturnType<typeof makeAgent>, ReturnType<typeof makeAgent>];
const history: HistoryEntry[] = ['03', '02', '01'].map((month) => ({
  change: 'updated',
  actor: 'owner',
  at: `2026-${month}-01T00:00:00.000Z`,
  fields: [{ field: 'name', from: 'Old', to: 'Ant' }],
}));
const bodies: Record<string, unknown> = {
  'agents.history': history,
  'agents.facts': { monthlyViews: 42, website: null },
  'agents.facets': { total: 2, pricing: {}, apiAccess: {}, proved: {} },
  'stats.get': { totalAgents: 2, categories: 6, monthlyViews: 0, agentsPerCategory: {} },
};
const call: RenderRequest['call'] = async (procedure, input) => {
  if (procedure !== 'agents.get') {
    const isEmpty = (input as { q?: string } | undefined)?.q === 'zzzzzz';
    return { data: bodies[procedure] ?? { agents: isEmpty ? [] : [agent, other], total: isEmpty ? 0 : 2 } };
  }
  const found = [agent, other].find(({ id }) => id === (input as { id: string }).id);
  return found ? { data: found } : { failure: { status: 404, detail: 'No agent' } };
};

async function readPage(url: string): Promise<Document> {
  const { html } = await renderPage({
    url,
    origin: 'https://registry.example',
    template: '<!doctype html><head><!--head--></head><body><div id="root"><!--page--></div><!--state--></body>',
    siteConfig: defaultSiteConfig,
    registration: 'open',
    countAgents: async () => 2,
    renderMarkup,
    call,
  });
  return new DOMParser().parseFromString(html, 'text/html');
}

/** What the HTML standard does not allow, as far as a parser leaves it where it is, by the rule that says so. */
const faults = {
  'a block in an element for phrases':
    ':is(button, label, span, b, strong, code, time, bdi, summary) :is(div, p, ul, ol, dl, table, section, article, form, h1, h2, h3)',
  'a control in a control': ':is(a, button) :is(a, button, input, select, textarea, label)',
  'autocomplete where nothing is typed': ':is([type=checkbox], [type=radio], [type=submit])[autocomplete]',
  'an option without a text': 'option:empty:not([label])',
  'a required choice whose first option has a value': 'select[required] > option:first-child:not([value=""])',
  'a style in the body': 'body style',
  'an item outside of a list': 'li:not(:is(ul, ol, menu) > li)',
  'a child of a list that is no item': ':is(ul, ol) > :not(li, script, template)',
  'an image without a text': 'img:not([alt])',
  'a button without a name': 'button:empty:not([aria-label])',
};

test.each<[string, string]>([
  ['home', '/'],
  ['rows', '/?view=rows'],
  ['a search with filters', '/?q=ant&pricing=free&sort=name'],
  ['an empty search', '/?q=zzzzzz'],
  ['a comparison', toComparePath([agent.id, other.id, 'no-id'])],
  ['the own list', '/?keep='],
  ['a shared list', toSharedPath([agent.id, other.id, 'no-id'])],
  ['an agent', `/agent/${agent.id}`],
  ...[...ownerActions, 'report' as const].map((action): [string, string] => [action, toManagePath(agent.id, action)]),
  ['an unknown agent', `/agent/${crypto.randomUUID()}`],
  ['an unknown path', '/no/such/page'],
])('the HTML of %s keeps the rules of its elements', async (_page, url) => {
  const page = await readPage(url);
  const found = Object.entries(faults).flatMap(([rule, selector]) =>
    Array.from(page.querySelectorAll(selector), ({ outerHTML }) => `${rule}: ${outerHTML.slice(0, 200)}`),
  );
  expect(found).toEqual([]);
  const ids = Array.from(page.querySelectorAll('[id]'), ({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
