import type { RenderRequest } from '@agent-registry/api/page-renderer';
import {
  createManagementKey,
  defaultSiteConfig,
  MAX_SHARED,
  toComparePath,
  toSharedPath,
  type Agent,
  type HistoryEntry,
  type SiteConfig,
} from '@agent-registry/contracts';
import { describe, expect, test } from 'vitest';
import { registerByForm, renderPage } from './entry-server.ts';
import { renderMarkup } from './render-markup.tsx';
import { makeAgent, makeGreatestAgent } from '@agent-registry/contracts/testing/make-agent';

const stats = { totalAgents: 1, categories: 6, monthlyViews: 0, agentsPerCategory: {} };
const facets = { total: 1, pricing: {}, apiAccess: {}, proved: {} };
const agent: Agent = makeAgent({
  name: '</script><b>',
  description: '<!-- $& --> \u2028',
  contactEmail: 'o@example.com',
});
const history: HistoryEntry[] = [
  {
    change: 'updated',
    actor: 'owner',
    at: '2026-03-03T10:00:00.000Z',
    fields: [{ field: 'name', from: '<b>Old</b>', to: 'New' }],
  },
  { change: 'updated', actor: 'owner', at: '2026-02-02T10:00:00.000Z', fields: [{ field: 'contactEmail' }] },
  { change: 'listed', actor: 'anyone', at: '2026-01-02T10:00:00.000Z', fields: [] },
];
const broken = { failure: { status: 500, detail: 'Something went wrong' } };

/** A request for a page of a registry with one agent. */
function makeRequest(url: string, given: Partial<RenderRequest> = {}): RenderRequest {
  return {
    url,
    origin: 'https://registry.example',
    template: '<head><!--head--></head><div id="root"><!--page--></div><!--state-->',
    siteConfig: defaultSiteConfig,
    registration: 'open',
    countAgents: async () => 1,
    renderMarkup,
    call: callsOf(agent),
    ...given,
  };
}

/** The calls of a registry with one agent. */
function callsOf(only: Agent): RenderRequest['call'] {
  return async (procedure) => {
    if (procedure === 'agents.facts')
      return {
        data: {
          monthlyViews: 42,
          besides: (['website', 'connection'] as const).map((shares) => ({ id: shares, name: 'Otter', shares })),
        },
      };
    if (procedure === 'agents.facets') return { data: facets };
    if (procedure === 'stats.get') return { data: stats };
    if (procedure === 'agents.history') return { data: history };
    const isOne = procedure === 'agents.get' || procedure === 'agents.register';
    return { data: isOne ? only : { agents: [only], total: 1 } };
  };
}

test.each(['/', `/agent/${agent.id}`, `/agent/${agent.id}?manage=key`, toComparePath([agent.id])])(
  'a stored website that the URL parser refuses does not break %s',
  async (path) => {
    const unread = { ...agent, website: 'https://[example', websiteCheckedAt: agent.createdAt };
    const { html, status } = await renderPage(makeRequest(path, { call: callsOf(unread) }));
    expect(status).toBe(200);
    expect(html).not.toContain('href="https://[example"');
  },
);

test('a rated agent has its rating in the structured data, and a sample agent has not', async () => {
  for (const [contactEmail, isReal] of [
    ['owner@example.org', true],
    ['owner@notexample.com', true],
    ['owner@example.com', false],
    ['owner@otter.example.com', false],
  ] as const) {
    const rated = { ...agent, contactEmail, rating: 4.5, reviewCount: 12 };
    const { html } = await renderPage(makeRequest(`/agent/${agent.id}`, { call: callsOf(rated) }));
    expect(html.includes('"aggregateRating"')).toBe(isReal);
  }
});

test('a page contains its data, and the same data gives the same page', async () => {
  const page = await renderPage(makeRequest('/'));
  expect(page).toMatchObject({ status: 200, isComplete: true });
  expect(page.html).toContain('<article');
  expect(page.html).not.toContain('skeleton-card');
  expect(await renderPage(makeRequest('/'))).toEqual(page);
});

test('descriptions on cards are cut in the state of a page, too, and the home page has the newest marks', async () => {
  const long = { ...agent, description: 'otter '.repeat(60) };
  const { html } = await renderPage(makeRequest('/', { call: callsOf(long) }));
  const [, state = ''] = /id="page-state">(.*?)<\/script>/s.exec(html) ?? [];
  expect(html).not.toContain('otter '.repeat(41));
  expect(state).toContain('otter…');
  expect((JSON.parse(state) as { entries: unknown[] }).entries).toContainEqual([
    ['marks'],
    [[expect.any(Number), 'automation']],
  ]);
  const { html: search } = await renderPage(makeRequest('/?q=otter'));
  expect(search).not.toContain('"marks"');
});

test('a list of rows is a table, and its address leads crawlers to the list', async () => {
  const { html } = await renderPage(makeRequest('/?category=vision&view=rows'));
  expect(html).toContain('<th scope="row">');
  expect(html).not.toContain('<article');
  expect(html).toContain('rel="canonical" href="https://registry.example/?category=vision"');
});

test('the page of an agent says what is known of it', async () => {
  const { html } = await renderPage(makeRequest(`/agent/${agent.id}`));
  expect(html).toContain('What is known about this entry');
  const text = html.replaceAll(/<[^>]*>/g, '');
  expect(text).toContain('Also has this website: Otter');
  expect(text).toContain('A connection of it is also listed by Otter');
  expect(text).toContain('Views this month42');
});

test('the page of an agent has its history, and none of fewer than three changes', async () => {
  const { html } = await renderPage(makeRequest(`/agent/${agent.id}`));
  const [, section = ''] = /History<\/h2>(.*?)<\/section>/s.exec(html) ?? [];
  expect(
    section
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe(
    'Mar 3, 2026 Changed by its owner: name &lt;b&gt;Old&lt;/b&gt; → New Feb 2, 2026 Changed by its owner: contact email Jan 2, 2026 Listed',
  );
  const call: RenderRequest['call'] = async (procedure, input) =>
    procedure === 'agents.history' ? { data: history.slice(1) } : callsOf(agent)(procedure, input);
  expect((await renderPage(makeRequest(`/agent/${agent.id}`, { call }))).html).not.toContain('History</h2>');
});

test.each([
  ['/', '/feed.xml', '/feed.json'],
  ['/?q=a%26b&sort=name&pricing=paid', '/feed.xml?q=a%26b&#38;pricing=paid', '/feed.json?q=a%26b&#38;pricing=paid'],
])('the page %s names the feeds of its list in its head', async (url, ...feeds) => {
  const [, head = ''] = /<head>(.*?)<\/head>/s.exec((await renderPage(makeRequest(url))).html) ?? [];
  const links = [...head.matchAll(/<link rel="alternate" type="[\w/+]+" href="(.*?)"/g)].map(([, href]) => href);
  expect(links).toEqual(feeds);
});

test.each(['/', `/agent/${agent.id}`])(
  'the page %s names the ARD manifest in its head, if there is one',
  async (url) => {
    const ardUrl = 'https://registry.example/.well-known/ard.json';
    const [, head] = /<head>(.*?)<\/head>/s.exec((await renderPage(makeRequest(url, { ardUrl }))).html) ?? [];
    expect(head).toContain(`<link rel="ard" href="${ardUrl}"/>`);
    expect((await renderPage(makeRequest(url))).html).not.toContain('rel="ard"');
  },
);

test.each([
  ['/?pricing=free,paid&apiAccess=yes', 'Free, Paid, API Available'],
  ['/?capability=voice+calls', 'voice calls'],
  ['/?since=2026-11-02', 'Added since Nov 2, 2026'],
  ['/?proved=yes&sort=name', 'Proved by its owner'],
  ['/?q=otter&pricing=free', '‘otter’, Free'],
  ['/?category=vision&pricing=free&apiAccess=yes&sort=name', 'Computer Vision, Free, API Available'],
  ['/?category=vision&q=otter', 'Computer Vision'],
  [`/?q=${'otter+'.repeat(33)}&pricing=free`, `‘${'otter '.repeat(26).trim()}…`],
  ['/?sort=name&view=rows', 'Agent Registry: discover and register AI agents'],
])('the title of the list %s names it', async (url, title) => {
  const { status, html } = await renderPage(makeRequest(url));
  expect(status).toBe(200);
  const shown = title.startsWith('Agent Registry') ? title : `${title} – Agent Registry`;
  expect(/<title>(.*?)</.exec(html)?.[1]).toBe(shown);
});

describe('a comparison', () => {
  const other = makeAgent({ name: 'Bee <b>', category: 'vision', pricingModel: 'paid', createdAt: agent.createdAt });
  const missing = crypto.randomUUID();
  const call: RenderRequest['call'] = async (procedure, input) => {
    if (procedure !== 'agents.get') return callsOf(agent)(procedure, input);
    const found = [agent, other].find(({ id }) => id === (input as { id: string }).id);
    return found ? { data: found } : { failure: { status: 404, detail: 'No agent' } };
  };
  const renderComparison = async (...ids: string[]) =>
    (await renderPage(makeRequest(`/?compare=${ids.join(',')}`, { call }))).html;

  test('of two agents has a title with their names, a canonical path, a picture and structured data', async () => {
    const html = await renderComparison(missing, agent.id, other.id);
    const address = `https://registry.example/?compare=${[agent.id, other.id].toSorted().join(',')}`;
    const title = /<title>(.*?)</.exec(html)?.[1];
    expect(title).toMatch(/^Compare .+ and .+ – Agent Registry$/);
    expect(title).toContain('Bee &lt;b&gt;');
    expect(html).toMatch(/name="description" content="Pricing, [^"]*Bee &lt;b&gt; \(Computer Vision, Paid\)/);
    expect(html).toContain(`<link rel="canonical" href="${address}"/>`);
    expect(html).toContain(`property="og:url" content="${address}"`);
    expect(html).toContain('property="og:image" content="https://registry.example/picture.png"');
    expect(html).not.toContain('noindex');
    const data = [...html.matchAll(/type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
      JSON.parse(json),
    );
    expect(data.find((entry) => entry['@type'] === 'ItemList')).toMatchObject({ itemListElement: { length: 2 } });
  });

  test.each([[[missing, agent.id]], [[agent.id]], [['no-id', missing]]])('of %j is not indexed', async (ids) => {
    const html = await renderComparison(...ids);
    expect(html).toContain('<title>Compare agents – Agent Registry</title>');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toContain('rel="canonical"');
  });
});

test('a shared list is rendered in its order, with those that are not listed, and is not indexed', async () => {
  const other = makeAgent({ name: 'Bee <b>', description: 'otter '.repeat(60) });
  const [withdrawn, unknown] = [crypto.randomUUID(), crypto.randomUUID()];
  const call: RenderRequest['call'] = async (procedure, input) => {
    if (procedure !== 'agents.get') return callsOf(agent)(procedure, input);
    const { id } = input as { id: string };
    const found = [agent, other].find((one) => one.id === id);
    return found ? { data: found } : { failure: { status: id === withdrawn ? 410 : 404, detail: 'No agent' } };
  };
  const url = `/?keep=${[other.id, withdrawn, agent.id, 'no-id', unknown].join(',')}`;
  const { html, status, isComplete } = await renderPage(makeRequest(url, { call }));
  expect([status, isComplete]).toEqual([200, true]);
  expect([...html.matchAll(/<h3 .*?href="\/agent\/([\w-]+)"/g)].map(([, id]) => id)).toEqual([other.id, agent.id]);
  const text = html.replaceAll(/<[^>]*>/g, '');
  expect(text).toContain('A shared list: 5 agents');
  expect(text).toContain(`The agent ‘${withdrawn}’ was withdrawn.No agent has the id ‘no-id’.`);
  expect(text).toContain(`No agent has the id ‘${unknown}’.`);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('rel="canonical"');
  expect(html).not.toContain(agent.contactEmail);
  expect((await renderPage(makeRequest(url, { call: async () => broken }))).isComplete).toBe(false);
});

test('the page of the own list has no agents, and is not indexed', async () => {
  const { html, status } = await renderPage(makeRequest('/?keep='));
  expect(status).toBe(200);
  expect(html).toContain('<title>Your list – Agent Registry</title>');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('<article');
});

test('two registries are rendered at once, each with its own branding and categories', async () => {
  const [chatbot] = defaultSiteConfig.categories;
  const yard: SiteConfig = {
    ...defaultSiteConfig,
    isCustom: true,
    name: 'Robot Yard',
    categories: [{ ...chatbot!, id: 'garden', name: 'Garden & Field' }],
    palette: { shades: Array.from({ length: 10 }, () => '#7a2e8e'), link: { light: '#7a2e8e', dark: '#d8a0e6' } },
  };
  const configs = [yard, defaultSiteConfig, yard];
  const pages = await Promise.all(configs.map((siteConfig) => renderPage(makeRequest('/', { siteConfig }))));
  for (const [index, { html }] of pages.entries()) {
    const isYard = configs[index] === yard;
    expect(/<title>(.*?)[:<]/.exec(html)?.[1]).toBe(isYard ? 'Robot Yard' : 'Agent Registry');
    expect([...html.matchAll(/<h3 id="category-(\w+)"/g)].map(([, id]) => id)).toEqual(
      configs[index]!.categories.map(({ id }) => id),
    );
    expect(html.includes('#7a2e8e')).toBe(isYard);
    expect(html.includes('Robot Yard')).toBe(isYard);
  }
  const statuses = [yard, defaultSiteConfig].map(async (siteConfig) => {
    const { status } = await renderPage(makeRequest('/?category=garden', { siteConfig }));
    return status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 400]);
});

test('the page of an agent whose category the operator removed leads to no list of it', async () => {
  const stranded = makeAgent({ category: 'robots' });
  const { html } = await renderPage(makeRequest(`/agent/${stranded.id}`, { call: callsOf(stranded) }));
  expect(html).not.toContain('category=robots');
});

test.each(['/agent/%2e%2e', '/agent/%2E.', '/agent/..', '/agent/./', `/no/%2e%2e/agent/${agent.id}`])(
  '%s is not resolved to another page',
  async (url) => {
    const call = async () => ({ failure: { status: 404, detail: 'There is none' } });
    expect(await renderPage(makeRequest(url, { call }))).toMatchObject({ status: 404 });
  },
);

test.each(['none', 'EDIT', 'edit&manage=edit'])(
  'an agent has no form ?manage=%s, and is not read for it',
  async (value) => {
    const calls: string[] = [];
    const call: RenderRequest['call'] = async (name) => {
      calls.push(name);
      return broken;
    };
    const page = await renderPage(makeRequest(`/agent/${agent.id}?manage=${value}`, { call }));
    expect(page).toMatchObject({ status: 400, isComplete: true, html: expect.stringContaining('No Such Form') });
    expect(calls).toEqual([]);
  },
);

test.each(['', '?manage=edit'])('crawlers follow no link of a page %s to a form', async (query) => {
  const { html } = await renderPage(makeRequest(`/agent/${agent.id}${query}`));
  const links = html.match(/<a [^>]*manage=[^>]*>/g) ?? [];
  expect(links).not.toEqual([]);
  expect(links.filter((link) => !link.includes('rel="nofollow"'))).toEqual([]);
});

test('with an unknown cursor the page has the first agents and a link back', async () => {
  const inputs: unknown[] = [];
  const { call } = makeRequest('/');
  const page = await renderPage(
    makeRequest(`/?category=vision&after=${crypto.randomUUID()}`, {
      call: async (procedure, input) => {
        if (procedure === 'agents.byCategory') inputs.push(input);
        const isRefused = (input as { after?: string } | undefined)?.after !== undefined;
        return isRefused ? { failure: { status: 400, detail: 'It is not in the list' } } : call(procedure, input);
      },
    }),
  );
  expect(page).toMatchObject({ status: 200, isComplete: true });
  expect(page.html).toContain('<article');
  expect(page.html).toContain('Back to the first agents');
  expect(inputs).toHaveLength(2);
});

test.each([undefined, '2026-03-03T00:00:00.000Z'])(
  'structured data has the registration and the edit %s',
  async (updatedAt) => {
    const edited = makeAgent({ createdAt: '2026-01-01T00:00:00.000Z', ...(updatedAt && { updatedAt }) });
    const { call: callOthers } = makeRequest('/');
    const call: RenderRequest['call'] = async (procedure, input) =>
      procedure === 'agents.get' ? { data: edited } : callOthers(procedure, input);
    const { html } = await renderPage(makeRequest(`/agent/${edited.id}`, { call }));
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      datePublished: edited.createdAt,
      dateModified: updatedAt ?? edited.createdAt,
    });
  },
);

describe.each([
  ['of the longest characters', {}],
  [
    'that are escaped',
    { description: '<'.repeat(2_000), capabilities: Array.from({ length: 30 }, () => '<'.repeat(60)) },
  ],
])('of a registry with the greatest agents, texts %s,', (_name, texts) => {
  const address = (index: number) => `https://example.com/${index}/${'x'.repeat(2_000)}`;
  const greatest = Array.from({ length: MAX_SHARED }, () =>
    makeGreatestAgent({
      connections: Array.from({ length: 8 }, (_, index) => ({ kind: 'a2a', card: address(index) })),
      ...texts,
    }),
  );
  const values = { from: 'x'.repeat(16_000), to: 'y'.repeat(16_000) };
  const changes = Array.from({ length: 200 }, (): HistoryEntry => {
    const fields = ['connections', 'website'].map((field) => ({ field, ...values }));
    return { change: 'updated', actor: 'owner', at: '2026-01-01T00:00:00.000Z', fields };
  });
  const call: RenderRequest['call'] = async (procedure, input) => {
    if (procedure === 'agents.history') return { data: changes };
    if (procedure === 'agents.get') return { data: greatest.find(({ id }) => id === (input as { id: string }).id) };
    if (procedure.startsWith('agents.') && procedure !== 'agents.facts' && procedure !== 'agents.facets') {
      return { data: { agents: greatest.slice(0, 12), total: 12 } };
    }
    return callsOf(agent)(procedure, input);
  };
  const ids = greatest.map(({ id }) => id);

  test.each([
    ['an agent', `/agent/${ids[0]}`, 2 ** 18, 1],
    ['a form of an agent', `/agent/${ids[0]}?manage=edit`, 2 ** 18, 1],
    ['a shared list', toSharedPath(ids), 2 ** 20, 10],
    ['a comparison', toComparePath(ids.slice(0, 4)), 2 ** 20, 4],
    ['a list', '/', 2 ** 20, 1],
  ])('the page of %s has its data as far as they fit', async (_page, url, bytes, least) => {
    const { html, status } = await renderPage(makeRequest(url, { call }));
    expect(status).toBe(200);
    const [, state = ''] = /id="page-state">(.*?)<\/script>/s.exec(html) ?? [];
    expect(new TextEncoder().encode(state).length).toBeLessThanOrEqual(bytes);
    expect(state.split('"contactEmail"').length - 1).toBeGreaterThanOrEqual(least);
  });
});

test.each(['/', `/agent/${agent.id}`])('no text of an agent is markup in %s', async (url) => {
  const { html } = await renderPage(makeRequest(url));
  expect(html).not.toContain('</script><b>');
  expect(html).not.toContain('<!-- $&');
  const [, state = ''] = /id="page-state">(.*?)<\/script>/s.exec(html) ?? [];
  expect(JSON.stringify(JSON.parse(state))).toContain(JSON.stringify(agent));
});

test('the head of a page has no character that HTML forbids, and its data are those of the agent', async () => {
  const old = makeAgent({ name: 'A\uFFFE\u0001\u009B', description: 'b\u{1FFFF}\u001B', capabilities: ['c\uFFFF'] });
  const { html } = await renderPage(makeRequest(`/agent/${old.id}`, { call: callsOf(old) }));
  const [, meta = ''] = /(<meta property="og:site_name".*?)<style/s.exec(html) ?? [];
  expect(meta).toContain('property="og:title" content="A – Agent Registry"');
  expect(meta).toContain('property="og:description" content="b"');
  const [, structured = ''] = /type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const [, state = ''] = /id="page-state">(.*?)<\/script>/s.exec(html) ?? [];
  for (const text of [meta, structured, state]) {
    expect(text).not.toMatch(/[\p{Cc}\p{Noncharacter_Code_Point}]/u);
  }
  expect(JSON.parse(structured)).toMatchObject({ name: old.name, featureList: old.capabilities });
  expect(JSON.stringify(JSON.parse(state))).toContain(JSON.stringify(old));
});

test.each([
  ['of 161 emoji is cut', '👩‍💻'.repeat(161), `${'👩‍💻'.repeat(159)}…`],
  ['of 160 emoji is not cut', '👩‍💻'.repeat(160), '👩‍💻'.repeat(160)],
  ['is cut at a word', `${'ก็'.repeat(150)} ${'x'.repeat(20)}`, `${'ก็'.repeat(150)}…`],
])('in link previews a description %s', async (_what, description, cut) => {
  const call = callsOf({ ...agent, description });
  const { html } = await renderPage(makeRequest(`/agent/${agent.id}`, { call }));
  expect(html).toContain(`property="og:description" content="${cut}"`);
});

describe.each<[string, RenderRequest['call']]>([
  ['cannot be loaded', async () => broken],
  ['are not loaded in time', () => new Promise(() => {})],
])('if agents and statistics %s', (_name, call) => {
  test.each([
    ['/', 'skeleton-card'],
    [`/agent/${agent.id}`, 'agent-skeleton'],
  ])('%s has its skeletons', async (url, skeleton) => {
    const page = await renderPage(makeRequest(url, { call }));
    expect(page).toMatchObject({ status: 200, isComplete: false });
    expect(page.html).toContain(skeleton);
    expect(page.html).toContain('"entries":[]');
  });
});

test.each([
  [2_000, false],
  [2_001, true],
])('of %i agents, lists are loaded by pages: %s', async (count, isPaged) => {
  const { html } = await renderPage(makeRequest('/nothing', { countAgents: async () => count }));
  expect(html).toContain(`"isPaged":${isPaged}`);
});

test('if agents cannot be counted, lists are loaded by pages', async () => {
  const page = await renderPage(makeRequest('/', { countAgents: () => Promise.reject(new Error('Away')) }));
  expect(page.isComplete).toBe(false);
  expect(page.html).toContain('"isPaged":true');
});

describe('a registration by form', () => {
  const managementKey = createManagementKey();
  const fields = { name: 'Front Desk', description: 'Answers.', category: 'chatbot', contactEmail: 'a@example.com' };
  const post = (given: Record<string, string>, request?: Partial<RenderRequest>) =>
    registerByForm(makeRequest('/', request), { fields: new URLSearchParams(given), managementKey });

  test.each([
    ['as listed', 'Front Desk</bdi> is listed', false],
    ['as held', 'Front Desk</bdi> is registered', true],
  ])('that the registry stores %s is answered with its link, which nobody may keep', async (_how, title, isHeld) => {
    const registered = { ...agent, name: 'Front Desk' };
    const call: RenderRequest['call'] = async (procedure) =>
      procedure === 'agents.register' ? { data: registered, isHeld } : broken;
    const page = await post({ ...fields, terms: 'on' }, { call });
    expect(page).toMatchObject({ status: 201, isComplete: false });
    const text = page.html.replaceAll('<!-- -->', '');
    expect(text).toContain(title);
    expect(text).toContain(`value="https://registry.example/agent/${agent.id}#manage=${managementKey}"`);
    expect(text.includes('For everybody')).toBe(!isHeld);
    // The key is in the fragment of links only.
    const keys = text.split(managementKey).slice(0, -1);
    expect(keys.length).toBeGreaterThan(1);
    for (const before of keys) expect(before).toMatch(/(?:#manage=|%23manage%3D)$/);
  });

  test('that was sent before is refused, without a link', async () => {
    const failure = { status: 422, detail: 'This Idempotency-Key came with another registration' };
    const page = await post({ ...fields, terms: 'on' }, { call: async () => ({ failure }) });
    expect(page).toMatchObject({ status: 422 });
    expect(page.html).toContain('This form was sent before, and the agent is registered.');
    expect(page.html).not.toContain(managementKey);
  });

  test('shows the field errors of the procedure', async () => {
    const failure = {
      status: 400,
      detail: 'Name is required',
      errors: [{ field: 'name', message: 'Name is required' }],
    };
    const page = await post({ ...fields, terms: 'on', name: ' ' }, { call: async () => ({ failure }) });
    expect(page).toMatchObject({ status: 400 });
    expect(page).toHaveProperty('html', expect.stringContaining('Name is required'));
    expect(page).toHaveProperty('html', expect.stringContaining('Please correct what is marked below.'));
    expect(page).toHaveProperty('html', expect.stringContaining('value="a@example.com"'));
  });

  test('without the terms is refused, and calls no procedure', async () => {
    const calls: string[] = [];
    const call: RenderRequest['call'] = async (name) => {
      calls.push(name);
      return broken;
    };
    const page = await post(fields, { call });
    expect(page).toMatchObject({ status: 400 });
    expect(page).toHaveProperty('html', expect.stringContaining('Please agree to the terms.'));
    expect(calls).not.toContain('agents.register');
  });

  test('that the registry refuses shows its status and message', async () => {
    const page = await post({ ...fields, terms: 'on' }, { call: async () => broken });
    expect(page).toMatchObject({ status: 500 });
    expect(page).toHaveProperty('html', expect.stringContaining('Something went wrong.'));
  });
});
