import { expect, findByName, test, validAgent } from './test.ts';

test.use({ javaScriptEnabled: false, expectedErrors: /Failed to load resource.* 4(?:00|10)/ });

test('search, filter, pagination and agent pages work', { tag: '@desktop' }, async ({ page, client }) => {
  const agents = await client.agents.list.query();
  const cards = page.locator('#browse').getByRole('article');
  await page.goto('/');
  await page.getByRole('searchbox').fill('otterdesk');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page).toHaveURL('/?q=otterdesk');
  await expect(cards.first()).toHaveAccessibleName('OtterDesk');

  await page.getByRole('button', { name: 'Computer', exact: true }).click();
  await expect(page).toHaveURL('/?category=vision');
  await expect(cards).toHaveCount(agents.filter(({ category }) => category === 'vision').slice(0, 12).length);
  await page.getByRole('button', { name: 'Computer', exact: true }).click();
  await expect(page).toHaveURL('/');

  await page.getByRole('button', { name: 'Load More Agents' }).click();
  await expect(cards).toHaveCount(12);
  await expect(cards.first()).toHaveAccessibleName(agents[12]?.name ?? '');
  await page.getByRole('link', { name: 'Back to the first agents' }).click();
  await expect(cards.first()).toHaveAccessibleName(agents[0]?.name ?? '');

  await cards.first().getByRole('link', { name: 'View Details →' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(agents[0]?.name ?? '');
});

test('a long text leads to a search for its most telling words', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.goto('/');
  await page.getByText('Search with a longer text').click();
  await page.getByLabel('Longer text').fill(`${'and for the '.repeat(30)} otterdesk`);
  await page.getByRole('button', { name: 'Search with this text' }).click();
  await expect(page).toHaveURL('/?q=otterdesk#pasted');
  await expect(page.getByText('Your text is long, so its most telling words are searched for.')).toBeVisible();
  await expect(page.locator('#browse').getByRole('article').first()).toHaveAccessibleName('OtterDesk');
});

test(
  'registering works; a refused form shows its errors and keeps its values',
  { tag: '@desktop' },
  async ({ page, client }, { project }) => {
    const name = `Scriptless ${project.name}`;
    const submit = page.getByRole('main').getByRole('button', { name: 'Register Agent' });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeHidden();
    await page.getByLabel('Agent Name').fill(name);
    await page.getByLabel('Description').fill(validAgent.description);
    await page.getByLabel('Category').selectOption('Computer Vision');
    await page.getByLabel('Contact Email').fill('nobody@nowhere');
    await page.getByLabel(/I agree to the terms/).check();
    await submit.click();
    await expect(page.getByRole('alert')).toContainText('Please correct what is marked below.');
    await page
      .getByRole('alert')
      .getByRole('link', { name: /^Contact email must be/ })
      .click();
    await expect(page.getByLabel('Contact Email')).toBeFocused();
    await expect(page.getByLabel('Agent Name')).toHaveValue(name);
    await expect(page.getByLabel('Category')).toHaveValue('vision');
    expect(await findByName(client, name)).toEqual([]);

    await page.getByLabel('Contact Email').fill(validAgent.contactEmail);
    await page.getByLabel(/I agree to the terms/).check();
    await submit.click();
    const panel = page.getByRole('group', { name: `${name} is listed` });
    await expect(panel).toBeInViewport();
    // They would do nothing.
    await expect(panel.getByRole('button')).toHaveCount(0);
    const link = await panel.getByLabel('Keep this link to edit or withdraw the entry').inputValue();
    const [registered] = await findByName(client, name);
    expect(registered).toMatchObject({ name, category: 'vision' });
    const [path = '', key = ''] = link.split('#manage=');
    expect(path).toMatch(new RegExp(`/agent/${registered?.id}$`));
    await panel.getByRole('link', { name: 'View' }).click();
    await page.goto(`${path}?manage=withdraw`);
    await page.getByRole('textbox', { name: 'Management key' }).fill(key);
    await page.getByRole('button', { name: `Withdraw ${name}` }).click();
    expect(await findByName(client, name)).toEqual([]);
  },
);

test('each way to connect is a section with its texts', { tag: ['@desktop', '@all'] }, async ({ page, client }) => {
  const agents = await client.agents.list.query();
  const { id, connections = [] } = agents.find((agent) => agent.connections?.some(({ kind }) => kind === 'mcp')) ?? {};
  await page.goto(`/agent/${id}`);
  const connect = page.locator('#connect');
  await expect(connect.getByRole('heading', { level: 3 })).toHaveCount(connections.length);
  await expect(connect.getByRole('heading', { level: 4, name: /^Codex: / }).first()).toBeVisible();
  await expect(connect.getByText('"mcpServers"').filter({ visible: true }).nth(1)).toBeVisible();
  await expect(connect.getByRole('tab')).toHaveCount(0);
});

test('the API reference is whole: overview, example and links', { tag: ['@phone', '@all'] }, async ({ page }) => {
  await page.goto('/api/docs');
  await page.getByRole('navigation', { name: 'Calls' }).getByRole('link', { name: 'GET /api/changes' }).click();
  await expect(page.getByRole('heading', { name: 'GET /api/changes' })).toBeInViewport();
  await expect(page.getByText(/^curl '.*\/api\/changes'/)).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Register Agent' }).click();
  await expect(page).toHaveURL('/#register');
});
