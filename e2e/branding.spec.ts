import { join } from 'node:path';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expectNoViolations } from './expect-no-violations.ts';
import { expect, findByName, openForm, registerByForm, testWith, toast } from './test.ts';

const oldHand = makeAgent({ name: 'Old Hand', description: 'Was there before.', category: 'chatbot' });

const test = testWith([oldHand], { SITE_CONFIG: join(import.meta.dirname, '../deploy/site.example.json') });

test(
  'a branded registry has its own texts, colours and categories, and agents of a removed category',
  { tag: ['@phone', '@all'] },
  async ({ page, client }) => {
    await page.goto('/');
    await expect(page).toHaveTitle('Robot Yard: Find a robot for the job');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.locator('#categories').getByRole('listitem')).toHaveCount(3);
    await expect(page.getByRole('contentinfo')).toContainText('© 2026 Robot Yard Ltd.');
    await expect(page.getByRole('article').filter({ hasText: 'Old Hand' })).toContainText('chatbot');
    await expectNoViolations(page);

    await openForm(page);
    await registerByForm(page, 'Mower', 'Garden & Field');
    await expect(toast(page, 'Your agent has been registered successfully.')).toBeVisible();
    expect(await findByName(client, 'Mower')).toMatchObject([{ category: 'garden' }]);

    await page.goto('/?q=Old+Hand');
    await page.getByRole('article').getByRole('link').first().click();
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('chatbot');
    await expectNoViolations(page, 'main');
  },
);
