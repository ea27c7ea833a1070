// @vitest-environment jsdom
import type { RenderRequest } from '@agent-registry/api/page-renderer';
import {
  defaultSiteConfig,
  MAX_COMPARED,
  MAX_SHARED,
  toComparePath,
  toSharedPath,
  type Agent,
  type HistoryEntry,
} from '@agent-registry/contracts';
import { makeHostileAgents } from '@agent-registry/contracts/testing/hostile-agents';
import { expect, test } from 'vitest';
import { renderPage } from './entry-server.ts';
import { renderMarkup } from './render-markup.tsx';

const agents = makeHostileAgents();

/** Renders a page of a registry with the hostile agents, and reads it as a browser does. */
async function readPage(url: string, agent = agents[0] as Agent) {
  const history: HistoryEntry[] = ['2026-02-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z'].map((at) => ({
    change: 'updated',
    actor: 'owner',
    at,
    fields: [{ field: 'name', from: agent.name, to: agent.name }],
  }));
  const bodies: Partial<Record<string, unknown>> = {
    'agents.history': history,
    'agents.facts': { monthlyViews: 42 },
    'agents.facets': { total: agents.length, pricing: {}, apiAccess: {}, proved: {} },
    'stats.get': { totalAgents: agents.length, categories: 6, monthlyViews: 0, agentsPerCategory: {} },
  };
  const request: RenderRequest = {
    url,
    origin: 'https://registry.example',
    template: '<!doctype html><head><!--head--></head><body><div id="root"><!--page--></div><!--state--></body>',
    siteConfig: defaultSiteConfig,
    registration: 'open',
    countAgents: async () => agents.length,
    renderMarkup,
    call: async (procedure, input) => ({
      data:
        procedure === 'agents.get'
          ? agents.find(({ id }) => id === (input as Agent).id)
          : (bodies[procedure] ?? { agents: agents.slice(0, 12), total: agents.length }),
    }),
  };
  const { html, status } = await renderPage(request);
  expect(status).toBe(200);
  const page = new DOMParser().parseFromString(html, 'text/html');
  const scripts = [...page.querySelectorAll('script')];
  expect(scripts.filter(({ type }) => !type.endsWith('json'))).toEqual([]);
  expect([...page.querySelectorAll('*')].filter(isForeign).map((element) => element.outerHTML)).toEqual([]);
  return { page, data: scripts.map(({ text }) => JSON.parse(text) as Record<string, unknown>) };
}

/** Whether an element is none that our pages have, acts by itself, or leads elsewhere as if we had linked it. */
function isForeign(element: Element): boolean {
  const acts = element.getAttributeNames().some((name) => name.startsWith('on'));
  const url = element.getAttribute('href') ?? element.getAttribute('src') ?? '/';
  const isOurs = /^(?:[/#?]|https:\/\/registry\.example\/|mailto:[^?]*$)/.test(url);
  const isLinked = /^https?:/.test(url) && element.getAttribute('rel')?.startsWith('ugc nofollow') === true;
  const isEmbedded = /^(?:img|iframe|foreignObject|object|embed|base)$/i.test(element.localName);
  return acts || !(isOurs || isLinked) || (isEmbedded && url !== '/favicon.svg');
}

/** A parser of HTML reads each line end as a line feed. */
const toHtmlText = (text: string) => text.replaceAll('\r\n', '\n');

test.each(agents)('texts of the agent $name stay text on its page and in its structured data', async (agent) => {
  const { page, data } = await readPage(`/agent/${agent.id}`, agent);
  expect(page.querySelector('h1')?.textContent).toBe(toHtmlText(agent.name));
  expect(page.title).toContain(
    toHtmlText(agent.name)
      .trim()
      .replaceAll(/[\t\n ]+/g, ' '),
  );
  const { name, description, featureList } = data.find((entry) => entry['@type'] === 'SoftwareApplication') ?? {};
  expect({ name, description, featureList }).toEqual({
    name: agent.name,
    description: agent.description,
    featureList: agent.capabilities,
  });
});

test('texts of agents stay text on the home page', async () => {
  const { page } = await readPage('/');
  const names = agents.slice(0, 12).map(({ name }) => name);
  expect([...page.querySelectorAll('article h3')].map(({ textContent }) => textContent)).toEqual(names.map(toHtmlText));
});

test('texts of agents stay text in a shared list', async () => {
  const shared = agents.slice(0, MAX_SHARED);
  const { page } = await readPage(toSharedPath(shared.map(({ id }) => id)));
  const names = [...page.querySelectorAll('article h3')].map(({ textContent }) => textContent);
  expect(names).toEqual(shared.map(({ name }) => toHtmlText(name)));
});

test('texts of agents stay text in a comparison', async () => {
  const names: string[] = [];
  for (let start = 0; start < agents.length; start += MAX_COMPARED) {
    const compared = agents.slice(start, start + MAX_COMPARED);
    const { page } = await readPage(toComparePath(compared.map(({ id }) => id)));
    names.push(...Array.from(page.querySelectorAll('thead a[href^="/agent/"]'), (link) => link.textContent));
    const capabilities = Array.from(page.querySelectorAll('td li'), (item) =>
      item.textContent.replace(/ \(shared\)$/, ''),
    );
    for (const { name } of compared) expect(capabilities).toContain(toHtmlText(name));
  }
  expect(names.toSorted()).toEqual(agents.map(({ name }) => toHtmlText(name)).toSorted());
});
