import { createManagementKey, type RegistryClient } from '@agent-registry/client';
import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './expect-no-violations.ts';
import { expect, holdBack, openForm, openOwnAgents, registerByForm, test, toast, validAgent } from './test.ts';

/** The keys that this browser keeps, by the id of their agent. */
async function readKeys(page: Page): Promise<Record<string, string>> {
  const json = await page.evaluate(() => window.localStorage.getItem('agent-registry.own-agents'));
  const agents = JSON.parse(json ?? '[]') as { id: string; key: string }[];
  return Object.fromEntries(agents.map(({ id, key }) => [id, key]));
}

const keyField = (page: Page) => page.getByRole('textbox', { name: 'Management key' });

test.describe('with scripts', { tag: '@phone' }, () => {
  test.use({ expectedErrors: /Failed to load resource.* 4(?:10|12|22)/ });

  test(
    'a registration gives a link, with which the owner edits and withdraws the entry',
    { tag: '@all' },
    async ({ page, client }) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url(), request.headers()['referer'] ?? ''));
      await openForm(page);
      await registerByForm(page, 'Keyed Marmot');

      const link = await page.getByLabel('Keep this link to edit or withdraw the entry').inputValue();
      const [, id = '', key = ''] = /\/agent\/([\w-]+)#manage=([\w-]{43})$/.exec(link) ?? [];
      await expectNoViolations(page);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const mail = (await page.getByRole('link', { name: 'Send to myself' }).getAttribute('href')) ?? '';
      expect(new URL(mail).searchParams.get('body')).toContain(link);
      await expect(page.getByRole('img', { name: 'The badge of the entry' })).toHaveJSProperty('complete', true);
      const content = await (await downloading).createReadStream();
      expect(String(await content.toArray())).toContain(link);

      // As in another browser.
      await page.evaluate(() => window.localStorage.clear());
      await page.goto(link);
      await expect(page).toHaveURL(`/agent/${id}`);
      expect(await page.evaluate(() => JSON.stringify(window.history.state))).not.toContain(key);
      expect(await readKeys(page)).toEqual({ [id]: key });
      const notice = page.getByRole('status').filter({ hasText: 'This browser can edit Keyed Marmot now.' });
      await expect(notice).toBeFocused();
      await expectNoViolations(page);
      const article = page.getByRole('article').first();
      await article.getByRole('link', { name: 'Edit' }).click();
      await expect(notice).toHaveCount(0);
      await expect(page.getByRole('main')).toBeFocused();
      await expect(page.getByLabel('Agent Name')).toHaveValue('Keyed Marmot');
      await expect(keyField(page)).toHaveCount(0);
      await expectNoViolations(page);

      await page.getByLabel('Description').fill('Not saved.');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await article.getByRole('link', { name: 'Edit' }).click();
      await expect(page.getByLabel('Description')).toHaveValue(validAgent.description);
      await page.getByLabel('Description').fill('Edited here.');
      await client.agents.update.mutate({ id, name: 'Renamed Elsewhere' }, { context: { key } });
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByRole('alert')).toContainText('This entry was changed meanwhile.');
      await expect(page.getByLabel('Agent Name')).toHaveValue('Renamed Elsewhere');
      await expect(page.getByLabel('Description')).toHaveValue('Edited here.');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(toast(page, 'The entry shows your changes now.')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed Elsewhere');
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await expect(page.getByText('Edited here.')).toBeVisible();
      await expect(page.getByText('Updated')).toBeVisible();

      await openForm(page);
      const own = await openOwnAgents(page);
      await expect(own.getByRole('listitem')).toContainText(/Renamed Elsewhere.*listed/);
      await expectNoViolations(page);
      await own.getByRole('link', { name: 'Renamed Elsewhere', exact: true }).click();
      await expect(own).toBeHidden();
      await page
        .getByRole('region', { name: /^Your entry/ })
        .getByRole('link', { name: 'Withdraw' })
        .click();
      const withdraw = page.getByRole('button', { name: 'Withdraw Renamed Elsewhere' });
      await expect(withdraw).toBeVisible();
      await expectNoViolations(page);
      await withdraw.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed Elsewhere is withdrawn');
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      expect((await page.goto(`/agent/${id}`))?.status()).toBe(410);
      await expect(page.getByText('This agent was withdrawn.')).toBeVisible();
      await page.getByRole('button', { name: 'Register it again' }).click();
      await expect(page.getByLabel('Agent Name')).toHaveValue('Renamed Elsewhere');
      await expect(page.getByLabel('Description')).toHaveValue('Edited here.');
      const withdrawn = await openOwnAgents(page);
      await withdrawn.getByRole('button', { name: 'Remove Renamed Elsewhere' }).click();
      await expect(page.getByText(/^Your agents/)).toHaveCount(0);
      expect(await readKeys(page)).toEqual({});
      // The browser sends no fragment, and no address has the key elsewhere.
      expect(requests.filter((url) => url.includes(key) && !url.endsWith(`#manage=${key}`))).toEqual([]);
    },
  );

  test('a lost key is replaced by way of the website', { tag: '@all' }, async ({ page, client }) => {
    const context = { newKey: createManagementKey() };
    const website = 'https://marmot.invalid/';
    const { id } = await client.agents.register.mutate({ ...validAgent, name: 'Keyless', website }, { context });
    await page.goto(`/agent/${id}`);
    await page.getByRole('link', { name: 'Is this your agent?' }).click();
    await expect(page.getByRole('heading', { level: 2 }).nth(0)).toHaveText('I have the key or link');
    await expect(page.getByRole('heading', { level: 2 }).nth(1)).toHaveText('Prove that marmot.invalid is mine');
    await keyField(page).fill('wrong');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await expect(page.getByRole('alert')).toContainText('Enter the management key');
    await expectNoViolations(page);
    await page.reload();
    await page.getByRole('button', { name: 'Prove that you control the website' }).click();
    const file = page.getByLabel('In the file https://marmot.invalid/.well-known/agent-registry.txt');
    const challenge = await file.inputValue();
    expect(challenge).toMatch(/^\d+\.[\w-]{43}$/);
    await expect(page.getByLabel('Or in the head of the listed page')).toHaveValue(
      `<meta name="agent-registry" content="${challenge}">`,
    );
    await expectNoViolations(page);
    await page.reload();
    await expect(file).toHaveValue(challenge);
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByRole('alert')).toContainText('marmot.invalid could not be reached over https');
    expect(await readKeys(page)).toEqual({});
  });
});

test('the header lists own agents in a popover', { tag: ['@desktop', '@all'] }, async ({ page, client }) => {
  const key = createManagementKey();
  const { id } = await client.agents.register.mutate(
    { ...validAgent, name: 'Header Marmot' },
    { context: { newKey: key } },
  );
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Your agents 1' });
  await expect(button).toHaveCount(0);
  await page.goto(`/agent/${id}#manage=${key}`);
  await button.click();
  const popover = page.getByRole('dialog', { name: 'Your agents' });
  await expect(popover.getByRole('listitem')).toContainText(/Header Marmot.*listed/);
  const { x = 0, width } = (await popover.boundingBox()) ?? {};
  expect(width).toBe(320);
  const { x: left = 0, width: wide = 0 } =
    (await page.getByRole('banner').getByRole('button', { name: 'Register Agent' }).boundingBox()) ?? {};
  expect(Math.abs(x + 320 - left - wide)).toBeLessThan(2);
  await expectNoViolations(page, '[role=dialog]');
  await page.keyboard.press('Escape');
  await expect(popover).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await popover.getByRole('link', { name: 'Edit Header Marmot' }).click();
  await expect(page).toHaveURL(`/agent/${id}?manage=edit`);
  await expect(popover).toBeHidden();
  await expect(page.getByLabel('Agent Name')).toHaveValue('Header Marmot');
  await expectNoViolations(page, 'main');
});

test.describe('before the form is hydrated', { tag: ['@phone', '@all'] }, () => {
  test.use({ expectedErrors: /Failed to load resource.* 401/ });

  /** Opens the form of an agent whose scripts are held back. @returns lets them arrive */
  async function openEarly(page: Page, client: RegistryClient, action: string): Promise<() => void> {
    const { id } = await client.agents.register.mutate({ ...validAgent, name: `Early ${action}` });
    const release = await holdBack(page, 'GET', '**/assets/*.js');
    await page.goto(`/agent/${id}?manage=${action}`, { waitUntil: 'load' });
    return release;
  }
  const expectHydrated = (page: Page, field: Locator) =>
    expect.poll(() => field.evaluate((element) => Object.keys(element).join())).toContain('__reactProps');

  test('what an owner edits is kept', async ({ page, client }) => {
    const release = await openEarly(page, client, 'edit');
    await page.getByLabel('Agent Name').fill('Late Owner');
    await page.getByLabel('Description').fill('Typed early.');
    await keyField(page).fill('early');
    release();
    await expect(page.getByText('Preview', { exact: true })).toBeAttached();
    await expect(page.getByLabel('Agent Name')).toHaveValue('Late Owner');
    await expect(page.getByLabel('Description')).toHaveValue('Typed early.');
    await expect(keyField(page)).toHaveValue('early');
  });

  test('what a visitor reports is kept', async ({ page, client }) => {
    const release = await openEarly(page, client, 'report');
    await page.getByLabel('What is the problem?').selectOption('It is spam');
    await page.getByLabel('Details').fill('It sells watches.');
    release();
    await expectHydrated(page, page.getByLabel('Details'));
    const sent = page.waitForRequest('**/reports');
    await page.getByRole('button', { name: 'Send Report' }).click();
    expect((await sent).postDataJSON()).toEqual({ reason: 'spam', text: 'It sells watches.' });
  });

  test('the key that withdraws an entry is kept', async ({ page, client }) => {
    const release = await openEarly(page, client, 'withdraw');
    const key = createManagementKey();
    await keyField(page).fill(key);
    release();
    await expectHydrated(page, keyField(page));
    const sent = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    expect((await sent).headers().authorization).toBe(`Bearer ${key}`);
  });

  test('a lost key waits for scripts, and the typed key is kept', async ({ page, client }) => {
    const release = await openEarly(page, client, 'key');
    const buttons = [/^Use this key$/, /^Prove that you control/].map((name) => page.getByRole('button', { name }));
    for (const button of buttons) await expect(button).toBeDisabled();
    const key = createManagementKey();
    await keyField(page).fill(key);
    release();
    for (const button of buttons) await expect(button).toBeEnabled();
    const sent = page.waitForRequest((request) => request.headers().authorization === `Bearer ${key}`);
    await buttons[0]?.click();
    await sent;
  });
});

test('a problem with an agent is reported', { tag: ['@phone', '@all'] }, async ({ page, client }) => {
  const { id } = await client.agents.register.mutate({ ...validAgent, name: 'Reported Marmot' });
  await page.goto(`/agent/${id}`);
  await page.getByRole('link', { name: 'Report a problem' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Report a problem: Reported Marmot');
  await expectNoViolations(page, 'main');
  await page.getByRole('button', { name: 'Send Report' }).click();
  await expect(page.getByLabel('What is the problem?')).toBeFocused();
  await page.getByLabel('What is the problem?').selectOption('It is spam');
  await page.getByLabel('Details').fill('It sells watches.');
  const sent = page.waitForRequest(`**/api/agents/${id}/reports`);
  await page.getByRole('button', { name: 'Send Report' }).click();
  expect((await sent).postDataJSON()).toEqual({ reason: 'spam', text: 'It sells watches.' });
  await expect(toast(page, 'Thank you. The operator will look at it.')).toBeVisible();
  await expect(page).toHaveURL(`/agent/${id}`);
});

test.describe('without scripts', { tag: '@phone' }, () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /Failed to load resource.* 4(?:00|01|10|12)/ });

  test('the owner edits and withdraws an entry with its key', { tag: '@all' }, async ({ page, client }) => {
    const key = createManagementKey();
    const registered = await client.agents.register.mutate(
      { ...validAgent, name: 'Scriptless Owner' },
      { context: { newKey: key } },
    );
    const path = `/agent/${registered.id}`;
    await page.goto(path);
    await page.getByRole('link', { name: 'Is this your agent?' }).click();
    await page.getByRole('link', { name: 'Enter the key below the fields of the entry' }).click();
    await expect(page.getByLabel('Agent Name')).toHaveValue('Scriptless Owner');
    await page.getByLabel('Agent Name').fill('Scriptless Editor');
    await keyField(page).fill(createManagementKey());
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('alert')).toContainText('The management key is missing or wrong.');
    await expect(page.getByLabel('Agent Name')).toHaveValue('Scriptless Editor');

    await client.agents.update.mutate({ id: registered.id, website: null }, { context: { key } });
    await page.goto(`${path}?manage=edit`);
    await page.getByLabel('Agent Name').fill('Scriptless Editor');
    await keyField(page).fill(`https://registry.example${path}#manage=${key}`);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scriptless Editor');
    expect(await client.agents.get.query({ id: registered.id })).toMatchObject({
      ...validAgent,
      name: 'Scriptless Editor',
      website: null,
    });

    await page.getByRole('link', { name: 'Report a problem' }).click();
    await page.getByLabel('What is the problem?').selectOption('Something else');
    await page.getByRole('button', { name: 'Send Report' }).click();
    await expect(page).toHaveURL(`${path}#reported`);
    await expect(page.getByText('Your report has been sent to the operator.')).toBeVisible();

    await page.goto(`${path}?manage=withdraw`);
    await keyField(page).fill(key);
    await page.getByRole('button', { name: 'Withdraw Scriptless Editor' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Withdrawn');
  });
});
