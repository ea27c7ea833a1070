import type { Page } from '@playwright/test';
import { expectNoViolations } from './expect-no-violations.ts';
import { expect, findByName, holdBack, openForm, test, toast, validAgent } from './test.ts';

async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
}

async function fillValidForm(page: Page, name: string) {
  const optional = page.getByText('How to connect, and example tasks');
  if (await page.getByLabel('Example Tasks').isHidden()) await optional.click();
  await fill(page, {
    'Agent Name': name,
    Description: validAgent.description,
    Capabilities: ' mail sorting, drafts ,, labels,snooze',
    'Example Tasks': 'Sort my mail of this week.\nAnswer the newest one, please.\n',
    'Contact Email': validAgent.contactEmail,
    Website: 'https://marmot.example.com',
  });
  await page.getByLabel('Category').selectOption('Automation & Workflow');
  await page.getByLabel('Pricing Model').selectOption('Paid');
  await page.getByLabel('API Access').selectOption('API Planned');
  await page.getByLabel(/I agree to the terms/).check();
}

/** Counts the POST requests of a page. */
function watchPosts(page: Page): () => number {
  let posts = 0;
  // The page of an agent posts that it was viewed.
  const isCounted = (url: string) => !url.endsWith('/view');
  page.on('request', (request) => (posts += request.method() === 'POST' && isCounted(request.url()) ? 1 : 0));
  return () => posts;
}

/** Opens the page of an agent and goes back. */
async function visitAnAgent(page: Page) {
  await page.getByRole('link', { name: 'View Details →' }).first().click();
  await expect(page.getByRole('link', { name: 'Contact Agent Owner' })).toBeVisible();
  await page.goBack();
}

const submitButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Register Agent' });

test(
  'connections are pasted as people have them, without their secrets, and are on the page of the entry',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }, { project }) => {
    const name = `Connected ${project.name}`;
    const secret = 'sk-live-4711';
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(request.url() + (request.postData() ?? '')));
    await openForm(page, '/');
    await fillValidForm(page, name);
    await page.getByLabel('Description').fill('It sorts the mail of marmots. '.repeat(20).trim());
    await expect(page.getByLabel('MCP Server Name')).toBeHidden();
    const field = page.getByLabel('How to connect');
    /** Pastes a text at the end of the field. */
    const paste = async (text: string) => {
      await field.press('ControlOrMeta+End');
      await page.evaluate((pasted) => document.execCommand('insertText', false, pasted), text);
      await field.blur();
      await field.focus();
    };
    await paste(`MARMOT_KEY=${secret} npx -y @marmot/mail --key ${secret}\n`);
    await paste(`claude mcp add -t http m https://marmot.example.com/mcp -H "X-Key: ${secret}"\n`);
    await paste(`{"servers": {"m": {"url": "https://m.example.com/mcp", "headers": {"X-Other": "${secret}"}}}}\n`);
    await paste('https://marmot.example.com/api');
    await page.getByLabel('Kind of https://marmot.example.com/api').selectOption('OpenAPI description');
    await expect(page.getByText('Only these names are kept: MARMOT_KEY, X-Key, X-Other.')).toBeVisible();
    await expectNoViolations(page, '#register');

    await submitButton(page).click();
    await page
      .getByRole('link', { name: 'Line 1: this npm package has no exact version: write @marmot/mail@1.2.3' })
      .click();
    await expect(field).toBeFocused();
    await field.fill((await field.inputValue()).replace('@marmot/mail', '@marmot/mail@1.0.0'));
    await page.getByLabel('MCP Server Name').fill('marmot-mail');
    const stored = await page.evaluate(() =>
      [localStorage, sessionStorage].map((storage) => Object.values(storage).join()).join(),
    );
    expect(stored).toContain('@marmot/mail@1.0.0');
    await submitButton(page).click();
    await expect(toast(page, 'Success!')).toBeVisible();
    expect(stored + sent.join()).not.toContain(secret);

    const [agent] = await findByName(client, name);
    expect(agent?.connections?.map(({ kind }) => kind)).toEqual(['mcp-package', 'mcp', 'mcp', 'openapi']);
    expect(agent?.serverName).toBe('marmot-mail');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/agent/${agent?.id}`);
    await expect(page.getByRole('heading', { name: 'Connect', exact: true })).toBeInViewport();
    await expect(page.getByText('MARMOT_KEY').filter({ visible: true })).toHaveCount(3);
    await expect(page.getByRole('link', { name: /VS Code/ })).toHaveAttribute('href', /^vscode:mcp\/install\?/);
    const chosen = page.getByRole('tab', { name: 'Gemini CLI' });
    await chosen.click();
    await page.reload();
    await expect(chosen).toHaveAttribute('aria-selected', 'true');
  },
);

test(
  'a registration updates list, category count and statistics, and survives kill -9',
  { tag: '@desktop' },
  async ({ page, client, registry }, { project }) => {
    const name = `Killproof ${project.name}`;
    await openForm(page, '/?category=automation');
    const { totalAgents } = await client.stats.get.query();
    const inAutomation = (await client.agents.byCategory.query({ category: 'automation' })).length;
    await expect(page.getByRole('definition').first()).toHaveText(String(totalAgents));

    await fillValidForm(page, name);
    // The panel is higher than this screen.
    await page.setViewportSize({ width: 360, height: 640 });
    await submitButton(page).click();
    await expect(toast(page, 'Success!')).toContainText('Your agent has been registered successfully.');

    await expect(page.locator('#browse').getByRole('article').first()).toHaveAccessibleName(name);
    await expect(page.getByRole('definition').first()).toHaveText(String(totalAgents + 1));
    await expect(
      page.locator('#categories').getByRole('listitem').filter({ hasText: 'Automation & Workflow' }),
    ).toContainText(`${inAutomation + 1} agents`);

    const panel = page.getByRole('group', { name: `${name} is listed` });
    await expect(panel).toBeFocused();
    await expect(panel.getByRole('heading', { level: 3 })).toBeInViewport();
    await expect(panel.getByRole('link', { name: 'View' })).toHaveAttribute('href', /^\/agent\//);
    await expect(panel.getByRole('button', { name: 'Copy Link' })).toBeVisible();
    await expectNoViolations(page, '#register');
    await panel.getByRole('button', { name: 'Register another' }).click();
    await expect(page.getByLabel('Agent Name')).toHaveValue('');
    await expect(page.getByLabel('Pricing Model')).toHaveValue('free');
    await expect(page.getByLabel(/I agree to the terms/)).not.toBeChecked();

    await registry.restart('SIGKILL');
    const [stored] = await client.agents.list.query();
    expect(stored).toMatchObject({
      name,
      description: validAgent.description,
      category: 'automation',
      capabilities: ['mail sorting', 'drafts', 'labels', 'snooze'],
      exampleTasks: ['Sort my mail of this week.', 'Answer the newest one, please.'],
      contactEmail: validAgent.contactEmail,
      website: 'https://marmot.example.com/',
      pricingModel: 'paid',
      apiAccess: 'planned',
      rating: 0,
      reviewCount: 0,
    });
    await page.goto(`/agent/${stored?.id}`);
    await expect(page.getByText('Answer the newest one, please.')).toBeVisible();
  },
);

test(
  'a double click registers once, and refreshes lists and searches that were loaded before',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }, { project }) => {
    const name = `Quokka ${project.name}`;
    const countPosts = watchPosts(page);
    await openForm(page, '/?q=quokka');
    await expect(page.getByText('No agents found matching your criteria.')).toBeVisible();
    await page.getByRole('button', { name: 'Computer', exact: true }).click();
    await expect(page).toHaveURL('/?category=vision');
    await fillValidForm(page, name);
    await submitButton(page).dblclick();
    await expect(toast(page, 'Success!')).toBeVisible();
    expect(countPosts()).toBe(1);
    expect(await findByName(client, name)).toHaveLength(1);
    await page.goBack();
    await expect(page.locator('#browse').getByRole('article').first()).toHaveAccessibleName(name);
  },
);

test(
  'a registration continues during a visit to another page: the form waits, and a panel replaces it',
  { tag: ['@desktop', '@all'] },
  async ({ page }, { project }) => {
    const countPosts = watchPosts(page);
    const release = await holdBack(page, 'POST', '**/api/agents');
    await openForm(page);
    await fillValidForm(page, `Slow ${project.name}`);
    await submitButton(page).click();
    await visitAnAgent(page);
    await expect(page.getByLabel('Agent Name')).toHaveValue(`Slow ${project.name}`);
    await expect(page.getByRole('button', { name: 'Registering...' })).toBeDisabled();

    release();
    await expect(toast(page, 'Success!')).toBeVisible();
    const panel = page.getByRole('group', { name: `Slow ${project.name} is listed` });
    await expect(panel).toBeVisible();
    await expect(panel).not.toBeFocused();
    expect(countPosts()).toBe(1);
    await panel.getByRole('button', { name: 'Register another' }).click();
    await expect(page.getByLabel('Agent Name')).toHaveValue('');
    await expect(page.locator('#register')).toBeFocused();
  },
);

test(
  'the form starts with its defaults; validation runs on submit, then on every change; an invalid form sends nothing',
  { tag: '@desktop' },
  async ({ page }) => {
    const countPosts = watchPosts(page);
    await openForm(page);
    await test.step('the form starts with its defaults', async () => {
      for (const label of ['Agent Name', 'Description', 'Category', 'Capabilities', 'Contact Email', 'Website']) {
        await expect(page.getByLabel(label)).toHaveValue('');
      }
      await expect(page.getByLabel('Description')).toHaveAttribute('rows', '4');
      await expect(page.getByLabel('Contact Email')).toHaveAttribute('type', 'email');
      await expect(page.getByRole('textbox', { name: 'Website' })).toHaveAttribute('type', 'url');
      await expect(page.getByLabel('Pricing Model')).toHaveValue('free');
      await expect(page.getByLabel('API Access')).toHaveValue('no');
      await expect(page.getByLabel('Pricing Model').locator('option')).toHaveText([
        'Free',
        'Freemium',
        'Paid',
        'Enterprise',
      ]);
      await expect(page.getByLabel('API Access').locator('option')).toHaveText([
        'Yes - API Available',
        'No API',
        'API Planned',
      ]);
      await expect(page.getByLabel(/I agree to the terms/)).toHaveJSProperty('required', true);
    });

    await fill(page, { 'Contact Email': 'nobody@nowhere', Website: 'ftp://marmot.example.com' });
    await page.getByLabel('Agent Name').focus();
    await page.getByLabel('Description').focus();
    await expect(page.getByText('Name is required')).toHaveCount(0);

    const terms = page.getByLabel(/I agree to the terms/);
    await submitButton(page).click();
    await expect(page.getByRole('alert')).toBeFocused();
    expect(await terms.evaluate((box: HTMLInputElement) => box.validity.valueMissing)).toBe(true);
    await terms.check();
    await submitButton(page).click();
    const messages = [
      'Name is required',
      'Description is required',
      'Category is required',
      'Contact email must be an address such as name@example.com',
      /^Website must be an http or https address/,
    ];
    const summary = page.getByRole('alert');
    await expect(summary).toContainText('5 fields are not right yet:');
    await expect(summary.getByRole('link')).toHaveText(messages);
    await expect(summary).toBeFocused();
    await expect(summary).toBeInViewport({ ratio: 1 });
    const errorOf = (text: string | RegExp) => page.getByText(text).and(page.locator('[id$=-error] *'));
    for (const message of messages) await expect(errorOf(message)).toBeVisible();

    await summary.getByRole('link', { name: 'Name is required' }).click();
    const name = page.getByLabel('Agent Name');
    await expect(name).toBeFocused();
    await expect(page.locator('label[for=register-name]')).toBeInViewport();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveAccessibleDescription(/Name is required/);
    await name.fill('x'.repeat(101));
    await expect(errorOf('Name can have at most 100 characters')).toBeVisible();
    await name.fill('Fine');
    await expect(page.locator('#register').getByText('Fine', { exact: true }), 'the preview').toBeVisible();
    await expect(page.getByText(/^Name (is|can)/)).toHaveCount(0);
    await expect(summary).toContainText('4 fields are not right yet:');

    await test.step('email and website have our error messages, not the browser’s', async () => {
      await fillValidForm(page, 'Typo');
      for (const [email, website] of [
        ['nobody', 'marmot'],
        [`a@${'b'.repeat(64)}.com`, 'https://exa mple.com'],
      ] as const) {
        await fill(page, { 'Contact Email': email, Website: website });
        await submitButton(page).click();
        await expect(page.getByRole('alert').getByRole('link')).toHaveText([
          'Contact email must be an address such as name@example.com',
          /^Website must be an http or https address/,
        ]);
        await fill(page, { 'Contact Email': validAgent.contactEmail, Website: 'https://marmot.example.com' });
        await expect(page.getByText(/must be an/)).toHaveCount(0);
      }
    });
    expect(countPosts()).toBe(0);
  },
);

test.describe('when the server refuses', { tag: ['@desktop', '@all'] }, () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test('the button reads Registering..., a toast titled Error shows status and message, the form the message alone, and it keeps its values', async ({
    page,
  }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/agents', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await released;
      return route.fulfill({ status: 503, contentType: 'text/plain', body: 'The registry is closed.' });
    });
    await openForm(page);
    await fillValidForm(page, 'Refused');
    await submitButton(page).click();
    await expect(page.getByRole('button', { name: 'Registering...' })).toBeDisabled();
    release();
    await expect(toast(page, 'Error')).toContainText('503: The registry is closed.');
    const failure = page.getByRole('group', { name: 'Error' });
    await expect(failure).toHaveText('ErrorThe registry is closed.');
    await expect(failure).toBeFocused();
    await expectNoViolations(page, '#register');
    await expect(page.getByLabel('Agent Name')).toHaveValue('Refused');
    await expect(submitButton(page)).toBeEnabled();
  });

  test('a retry after a lost response registers once, also after a visit to another page', async ({ page, client }) => {
    await page.route(
      '**/api/agents',
      async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await route.fetch();
        return route.abort();
      },
      { times: 1 },
    );
    await openForm(page);
    await fillValidForm(page, 'Mislaid');
    await submitButton(page).click();
    await expect(toast(page, 'Error')).toBeVisible();
    await visitAnAgent(page);
    await expect(page.getByLabel('Agent Name')).toHaveValue('Mislaid');
    await page.getByLabel(/I agree to the terms/).check();
    await submitButton(page).click();
    await expect(toast(page, 'Success!')).toBeVisible();
    const agents = await client.agents.list.query();
    expect(agents.filter(({ name }) => name === 'Mislaid')).toHaveLength(1);
  });
});

test(
  'typed values are kept as a draft, without the terms, until the registration',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await openForm(page);
    await fillValidForm(page, 'Drafty');
    await page.reload();
    await expect(page.getByLabel('Agent Name')).toHaveValue('Drafty');
    await expect(page.getByLabel('Category')).toHaveValue('automation');
    await expect(page.getByLabel('Pricing Model')).toHaveValue('paid');
    await expect(page.getByLabel(/I agree to the terms/)).not.toBeChecked();

    await page.getByLabel(/I agree to the terms/).check();
    await submitButton(page).click();
    await expect(toast(page, 'Success!')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Agent Name')).toHaveValue('');
    await page.getByLabel('Agent Name').fill('Next');
    await page.getByRole('button', { name: 'Save Draft' }).click();
    await expect(toast(page, 'Draft saved')).toBeVisible();
  },
);

test('on a phone the form has touch targets, and no preview', { tag: '@phone' }, async ({ page }) => {
  await openForm(page);
  await page.getByLabel('Agent Name').fill('Preview of mine');
  await expect(page.locator('#register').getByText('Preview of mine')).toBeHidden();
  await expect(page.getByLabel('Agent Name')).toHaveAttribute('autocomplete', 'off');
  const controls = page.locator('#register').locator('input:visible, textarea, select, button');
  const sizes = await controls.evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden], [inert]'))
      .map((element) => ({
        height: (element.matches('[type=checkbox]') ? element.closest('[class*=terms]') : element)?.clientHeight ?? 0,
        // iOS zooms into fields with smaller text.
        font: element.matches('button, [type=checkbox]') ? 16 : Number.parseFloat(getComputedStyle(element).fontSize),
      })),
  );
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.min(...sizes.map(({ height }) => height))).toBeGreaterThanOrEqual(42);
  expect(Math.min(...sizes.map(({ font }) => font))).toBeGreaterThanOrEqual(16);
});
