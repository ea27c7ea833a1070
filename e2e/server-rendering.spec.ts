import type { APIRequestContext } from '@playwright/test';
import { expect, holdBack, test, toast, validAgent } from './test.ts';

/** Waits until a page is rendered with all data: the first search of a process can exceed the time limit. */
async function waitForComplete(request: APIRequestContext, path: string) {
  await expect
    .poll(async () => {
      const response = await request.get(path);
      return response.status() !== 200 || !response.headers()['cache-control']?.startsWith('no-store');
    })
    .toBe(true);
}

/** The server-rendered HTML of a page, without styles and page state. */
async function read(request: APIRequestContext, path: string) {
  await waitForComplete(request, path);
  const response = await request.get(path);
  const html = await response.text();
  const state = /<script type="application\/json" id="page-state">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  const styles = /<style>.*?<\/style>/s;
  return { status: response.status(), html: html.replace(state, '').replace(styles, ''), state };
}

function expectText(html: string, text = '') {
  expect(html.includes(text), text).toBe(true);
}

const readStructuredData = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json = '']) => JSON.parse(json) as object,
  );

const countCards = (html: string) => html.match(/<article/g)?.length;

test.describe('server-rendered pages are complete', { tag: '@desktop' }, () => {
  test('home, with the list in the URL', async ({ request, client }) => {
    const agents = await client.agents.list.query();
    const home = await read(request, '/');
    expect(home.status).toBe(200);
    expect(countCards(home.html)).toBe(12);
    expectText(home.html, agents[11]?.name);
    expectText(home.html, `>${agents.length}</dd>`);
    expect(home.html.includes('skeleton')).toBe(false);

    const category = await read(request, '/?category=vision');
    expect(category.status).toBe(200);
    expect(countCards(category.html)).toBe(agents.filter((agent) => agent.category === 'vision').slice(0, 12).length);

    const search = await read(request, '/?q=oterdesk');
    expect(search.status).toBe(200);
    expectText(search.html, 'Showing results for');
    expectText(search.html, '>OtterDesk</mark>');
    expectText(search.html, 'value="oterdesk"');
  });

  test('an agent’s page right after its registration, and not-found pages', async ({ request, client }) => {
    const agent = await client.agents.register.mutate({ ...validAgent, name: 'Complete' });
    const page = await read(request, `/agent/${agent.id}`);
    expect(page.status).toBe(200);
    expectText(page.html, 'Complete</h1>');
    expectText(page.html, agent.description);
    expectText(page.html, '<title>Complete – Agent Registry</title>');

    const missing = await read(request, '/agent/3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f');
    expect(missing.status).toBe(404);
    expectText(missing.html, 'Agent Not Found</h1>');
    const nowhere = await read(request, '/no/such/page');
    expect(nowhere.status).toBe(404);
    expectText(nowhere.html, '404 Page Not Found</h1>');
  });

  test('pages have canonical links, Open Graph tags and structured data', async ({ request, client, registry }) => {
    const agent = await client.agents.register.mutate({ ...validAgent, name: 'Finder "&" Keeper' });
    const address = `${registry.url}/agent/${agent.id}`;
    const { html } = await read(request, `/agent/${agent.id}/`);
    expectText(html, `<link rel="canonical" href="${address}"/>`);
    expectText(html, `<meta property="og:image" content="${address}/picture.png"/>`);
    expectText(html, '<meta property="og:title" content="Finder &#34;&#38;&#34; Keeper – Agent Registry"/>');
    expectText(html, '<meta name="twitter:card" content="summary_large_image"/>');
    const [software, trail] = readStructuredData(html);
    expect(software).toMatchObject({ '@type': 'SoftwareApplication', name: agent.name, url: address });
    expect(software).not.toHaveProperty('aggregateRating');
    expect(JSON.stringify(software)).not.toContain('@marmot.example.com');
    expect(trail).toMatchObject({ '@type': 'BreadcrumbList', itemListElement: { length: 3 } });

    const rated = (await client.agents.list.query()).find(({ reviewCount }) => reviewCount > 0);
    const [reviewed] = readStructuredData((await read(request, `/agent/${rated?.id}`)).html);
    // The ratings of sample agents are invented.
    expect(reviewed).toMatchObject({ name: rated?.name });
    expect(reviewed).not.toHaveProperty('aggregateRating');

    const [site, list] = readStructuredData((await read(request, '/?category=vision')).html);
    expect(site).toMatchObject({
      '@type': 'WebSite',
      potentialAction: { target: { urlTemplate: `${registry.url}/?q={search_term_string}` } },
    });
    expect(list).toMatchObject({ '@type': 'ItemList', itemListElement: { length: 7 } });
    expectText((await read(request, '/no/such/page')).html, '<meta name="robots" content="noindex"/>');
  });

  test('text of an agent ends no element, and hydrates unchanged', async ({ request, page, client }) => {
    const name = '</script></title><script>alert(1)</script>';
    const description = '<!--<script>alert(2)</script> "quoted" \u2028 & &amp; $& </textarea>';
    const agent = await client.agents.register.mutate({
      ...validAgent,
      name,
      description,
      capabilities: ['<b>', '$`'],
    });
    for (const path of ['/', `/agent/${agent.id}`]) {
      const { html, state } = await read(request, path);
      expect(/alert\(\d\)<\/script/.test(html)).toBe(false);
      expect(state.includes('<')).toBe(false);
      expectText(JSON.stringify(JSON.parse(state)), JSON.stringify(agent));
      await page.goto(path);
      await expect(page.getByRole('heading', { name })).toBeVisible();
    }
  });
});

test(
  'hydration keeps what the server has rendered, requests no data but the counts of other pages than home, and logs no message',
  { tag: '@desktop' },
  async ({ page, request, client }) => {
    await page.addInitScript(() => {
      const mark = () => {
        document.querySelector('main > *')?.setAttribute('data-rendered', '');
        for (const day of document.querySelectorAll('time')) day.setAttribute('data-rendered', day.textContent);
      };
      document.addEventListener('DOMContentLoaded', mark);
    });
    const calls: string[] = [];
    let counts = /^$/;
    page.on('request', (sent) => {
      const { pathname } = new URL(sent.url());
      if (pathname.startsWith('/api/') && !counts.test(pathname)) calls.push(sent.url());
    });
    const [agent] = await client.agents.list.query();
    const others = process.env.TEST_TIER === 'all' ? ['/?category=vision', '/?q=zzzzzz'] : [];
    for (const path of ['/', '/?q=otterdesk', `/agent/${agent?.id}`, ...others]) {
      await waitForComplete(request, path);
      counts = path === '/' ? /^$/ : /^\/api\/(?:stats|facets)$/;
      await page.goto(path);
      // The switch works after hydration.
      await page.getByRole('button', { name: 'Switch to dark mode' }).click();
      await page.getByRole('button', { name: 'Switch to light mode' }).click();
      await expect(page.locator('main > [data-rendered]')).toHaveCount(1);
      const days = await page
        .locator('time[data-rendered]')
        .evaluateAll((all) => all.map((day) => [day.getAttribute('data-rendered'), day.textContent]));
      if (!path.includes('zzzzzz')) expect(days).not.toEqual([]);
      for (const [rendered, shown] of days) expect(shown).toBe(rendered);
    }
    expect(calls).toEqual([]);
  },
);

test('hydration keeps the ids of the form', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  const form = page.getByRole('form', { name: 'Register Your Agent' });
  const scripts = '**/assets/index-*.js';
  const release = await holdBack(page, 'GET', scripts);
  await page.goto('/', { waitUntil: 'load' });
  const ids = () => form.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  const idsThatCame = await ids();
  expect(idsThatCame.length).toBeGreaterThan(20);
  release();
  await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
  expect(await ids()).toEqual(idsThatCame);
});

test.describe('before hydration', () => {
  test.use({ expectedErrors: /the server responded with a status of 400/ });

  test('typed values are kept, and a refused form is hydrated', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    const scripts = '**/assets/*.js';
    const submit = page.getByRole('main').getByRole('button', { name: 'Register Agent' });
    let doArrive = false;
    await page.route(scripts, (route) => (doArrive ? route.continue() : undefined));
    await page.goto('/', { waitUntil: 'load' });
    await page.getByLabel('Agent Name').fill('Early Bird');
    await page.getByLabel('Description').fill(validAgent.description);
    await page.getByLabel('Category').selectOption('Computer Vision');
    await page.getByLabel('Contact Email').fill('nobody@nowhere');
    await page.getByLabel(/I agree to the terms/).check();
    doArrive = true;
    await submit.click();
    await expect(page).toHaveURL('/#register');
    await expect(page.getByRole('alert')).toContainText('Please correct what is marked below.');

    // The hydrated form validates on change.
    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
    await page.getByLabel('Contact Email').fill(validAgent.contactEmail);
    await expect(page.getByText(/^Contact email must be/)).toHaveCount(0);
    await page.getByLabel(/I agree to the terms/).check();
    await submit.click();
    await expect(toast(page, 'Your agent has been registered successfully.')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Early Bird is listed' })).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
