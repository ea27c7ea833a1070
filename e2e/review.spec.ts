import { createManagementKey } from '@agent-registry/client';
import { expectNoViolations } from './expect-no-violations.ts';
import { expect, registerByForm, test, testWith, toast, validAgent } from './test.ts';

const heldTest = testWith('sample', { REGISTRATION: 'held' });

// In one worker, since each one would start the registry.
test.describe.configure({ mode: 'default' });

heldTest.use({ expectedErrors: /Failed to load resource.* 404/ });

heldTest(
  'the owner edits a held entry, then a listed one, reads why a change was refused, and takes it back',
  { tag: ['@phone', '@all'] },
  async ({ page, client, registry, browser }) => {
    const key = createManagementKey();
    const { id } = await client.agents.register.mutate(validAgent, { context: { newKey: key } });
    await page.goto(`/agent/${id}#manage=${key}`);
    const main = page.getByRole('main');
    const heading = (name: string) => main.getByRole('heading', { name });
    await expect(heading('This entry waits for review')).toBeVisible();
    await expect(page).toHaveTitle('Marmot Mail – Agent Registry');
    await expect(main.getByText(validAgent.description)).toBeVisible();
    await expectNoViolations(page);

    const review = main.getByRole('region', { name: 'This entry waits for review' });
    await review.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Agent Name').fill('Stoat Mail');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toast(page, 'Your change waits for review.')).toBeVisible();
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Stoat Mail');

    await registry.command('release', id);
    await page.reload();
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Stoat Mail');
    await expect(heading('This entry waits for review')).toHaveCount(0);

    await main.getByRole('article').first().getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Agent Name').fill('Badger Mail');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(heading('Your change waits for review')).toBeVisible();
    await expect(main.getByText('name Stoat Mail → Badger Mail')).toBeVisible();
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Stoat Mail');
    await expectNoViolations(page);

    await registry.command('refuse', id, '--reason', 'Is Badger your name?');
    await page.reload();
    await expect(heading('Your change was refused')).toBeVisible();
    await expect(main.getByText('Is Badger your name?')).toBeVisible();
    await main.getByRole('link', { name: 'Change it' }).click();
    await expect(page.getByLabel('Agent Name')).toHaveValue('Badger Mail');
    await page.getByLabel('Agent Name').fill('Marmot Post');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(heading('Your change waits for review')).toBeVisible();

    const stranger = await browser.newPage();
    await stranger.goto(`${registry.url}/agent/${id}`);
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Stoat Mail');
    await expect(stranger.getByRole('main')).not.toContainText('Marmot Post');
    await stranger.close();

    await main.getByRole('button', { name: 'Take it back' }).click();
    await expect(heading('Your change waits for review')).toHaveCount(0);
    expect(await client.agents.get.query({ id }, { context: { key } })).toMatchObject({ name: 'Stoat Mail' });
  },
);

heldTest(
  'the owner of a held entry enters its key on another device',
  { tag: ['@phone', '@all'] },
  async ({ page, client }) => {
    const key = createManagementKey();
    const { id } = await client.agents.register.mutate(
      { ...validAgent, name: 'Far Marmot' },
      { context: { newKey: key } },
    );
    await page.goto(`/agent/${id}?manage=withdraw`);
    await expect(page.getByRole('button', { name: 'Withdraw this entry' })).toBeVisible();
    await expectNoViolations(page);
    await page.goto(`/agent/${id}?manage=edit`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Not Found');
    await expectNoViolations(page);
    await page.getByLabel('Management key').fill(key);
    await page.getByLabel('Management key').press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit: Far Marmot');
  },
);

heldTest.describe('without scripts', { tag: '@phone' }, () => {
  heldTest.use({ javaScriptEnabled: false, expectedErrors: /Failed to load resource.* 4(?:04|10)/ });

  heldTest(
    'the owner of a listed entry reads that a change waits for review',
    { tag: '@all' },
    async ({ page, client, registry }) => {
      const key = createManagementKey();
      const { id } = await client.agents.register.mutate(
        { ...validAgent, name: 'Patient Marmot' },
        { context: { newKey: key } },
      );
      await registry.command('release', id);
      await page.goto(`/agent/${id}?manage=edit`);
      await page.getByLabel('Agent Name').fill('Hasty Marmot');
      await page.getByLabel('Management key').fill(key);
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page).toHaveURL(`/agent/${id}#waiting`);
      await expect(page.getByText('Your change waits for review.')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Patient Marmot');
    },
  );

  heldTest(
    'the owner of a held entry opens its form with the key, saves it and withdraws it',
    { tag: '@all' },
    async ({ page }) => {
      await page.goto('/');
      await registerByForm(page, 'Unlisted Marmot');
      const link = await page.getByLabel('Keep this link to edit or withdraw the entry').inputValue();
      await page.getByRole('link', { name: 'Edit it with the key at the end of this link' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Not Found');
      const path = new URL(page.url()).pathname;

      await page.getByLabel('Management key').fill(createManagementKey());
      await page.getByRole('button', { name: 'Use this key' }).click();
      await expect(page.getByRole('alert')).toContainText(
        'No entry that waits for review has this address and this key.',
      );

      await page.getByLabel('Management key').fill(link);
      const opened = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Use this key' }).click();
      expect((await opened).headers()['cache-control']).toBe('no-store, no-transform');
      await expect(page.getByText('This entry waits for review')).toBeVisible();
      await expect(page.getByLabel('Agent Name')).toHaveValue('Unlisted Marmot');
      expect(await page.content()).not.toContain(link.slice(-43));

      await page.getByLabel('Agent Name').fill('Edited Marmot');
      await page.getByLabel('Management key').fill(link);
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByText('Saved. This entry waits for review')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit: Edited Marmot');
      expect((await page.goto(`${path}?manage=edit`))?.status()).toBe(404);
      await expect(page.getByRole('main')).not.toContainText('Marmot');

      await page.goto(`${path}?manage=withdraw`);
      await page.getByLabel('Management key').fill(link);
      await page.getByRole('button', { name: 'Withdraw this entry' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Agent (?:Withdrawn|Not Found)$/);
      await page.goto(`${path}?manage=edit`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Agent (?:Withdrawn|Not Found)$/);
    },
  );
});
