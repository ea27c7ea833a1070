import { createManagementKey } from '@agent-registry/client';
import { expectNoViolations } from './expect-no-violations.ts';
import { startRegistry, type Registry } from './registry.ts';
import { expect, test, toast, validAgent } from './test.ts';

const heldTest = test.extend<object, { registry: Registry }>({
  registry: [
    async ({}, use) => {
      const registry = await startRegistry('sample', { REGISTRATION: 'held' });
      await use(registry);
      await registry.stop();
    },
    { scope: 'worker' },
  ],
});

heldTest.use({ expectedErrors: /Failed to load resource.* 404/ });

heldTest(
  'the owner edits a held entry, then a listed one, reads why a change was refused, and takes it back',
  { tag: '@phone' },
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

heldTest.describe('without scripts', { tag: '@phone' }, () => {
  heldTest.use({ javaScriptEnabled: false });

  heldTest('the owner of a listed entry reads that a change waits for review', async ({ page, client, registry }) => {
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
    await expectNoViolations(page);
  });
});
