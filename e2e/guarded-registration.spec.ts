import { expectNoViolations } from './expect-no-violations.ts';
import {
  expect,
  findByName,
  openForm,
  openOwnAgents,
  registerByForm,
  test,
  testWith,
  toast,
  validAgent,
} from './test.ts';

// In one worker, since each one would start the registries.
test.describe.configure({ mode: 'default' });

test.describe('the honeypot of the form', { tag: '@desktop' }, () => {
  test.use({ expectedErrors: /Failed to load resource.* 400/ });

  test(
    'is invisible, not focusable and not announced, and a registration with it is refused',
    { tag: '@all' },
    async ({ page, client }, { project }) => {
      const name = `Baited ${project.name}`;
      await openForm(page);
      const hidden = page.locator('input[name="subject"]');
      await expect(hidden).toHaveCount(1);
      await expect(page.getByRole('textbox', { name: 'Leave this empty' })).toHaveCount(0);
      expect(await page.locator('#register').ariaSnapshot()).not.toContain('Leave this empty');
      const isSeen = await hidden.evaluate((field) => {
        field.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = field.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === field;
      });
      expect(isSeen).toBe(false);
      await page.getByLabel(/I agree to the terms/).focus();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('main').getByRole('button', { name: 'Register Agent' })).toBeFocused();
      await expectNoViolations(page, '#register');

      await page.getByLabel('Agent Name').fill(name);
      await page.getByLabel('Description').fill(validAgent.description);
      await page.getByLabel('Category').selectOption('Chatbots & Conversational AI');
      await page.getByLabel('Contact Email').fill(validAgent.contactEmail);
      await page.getByLabel(/I agree to the terms/).check();
      await hidden.fill('Cheap watches', { force: true });
      await page.getByRole('main').getByRole('button', { name: 'Register Agent' }).click();
      await expect(toast(page, '400: The field subject is hidden from people')).toBeVisible();
      expect(await findByName(client, name)).toEqual([]);
      await page.getByRole('main').getByRole('button', { name: 'Register Agent' }).click();
      await expect(toast(page, 'Your agent has been registered successfully.')).toBeVisible();
    },
  );
});

const heldTest = testWith('sample', { REGISTRATION: 'held' });

heldTest.describe('where registrations are held', { tag: '@phone' }, () => {
  heldTest.use({ expectedErrors: /Failed to load resource.* 404/ });

  heldTest(
    'the panel, the list of own agents and the page say that the agent waits',
    { tag: '@all' },
    async ({ page, client }) => {
      await openForm(page);
      await registerByForm(page, 'Held Marmot', 'Chatbots & Conversational AI');
      const panel = page.getByRole('group', { name: 'Held Marmot is registered' });
      await expect(panel).toContainText('It waits for the review of the registry’s operator and is not listed yet.');
      await expect(panel.getByLabel('Keep this link to edit or withdraw the entry')).toHaveValue(/#manage=[\w-]{43}$/);
      await expect(panel.getByRole('link', { name: 'View' })).toHaveCount(0);
      await expectNoViolations(page, '#register');
      expect(await findByName(client, 'Held Marmot')).toEqual([]);
      const own = await openOwnAgents(page);
      await expect(own.getByRole('listitem')).toContainText(/Held Marmot.*waits for review/);
      await own.getByRole('link', { name: 'Held Marmot', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Held Marmot');
      await expect(page.getByRole('main')).toContainText('This entry waits for review');
    },
  );

  heldTest.describe('without scripts', () => {
    heldTest.use({ javaScriptEnabled: false });

    heldTest('the page says that the agent waits', { tag: '@all' }, async ({ page, client }) => {
      await page.goto('/');
      await registerByForm(page, 'Scriptless Marmot', 'Chatbots & Conversational AI');
      const panel = page.getByRole('group', { name: 'Scriptless Marmot is registered' });
      await expect(panel).toContainText('It waits for the review');
      await expect(panel.getByLabel('Keep this link to edit or withdraw the entry')).toHaveValue(/#manage=[\w-]{43}$/);
      expect(await findByName(client, 'Scriptless Marmot')).toEqual([]);
    });
  });
});

const closedTest = testWith('sample', { REGISTRATION: 'closed' });

closedTest(
  'where registration is closed, the section says so and the header links to it',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/');
    const section = page.getByRole('region', { name: 'Register Your Agent' });
    await expect(section).toContainText('Registration is closed. Try again later.');
    await expect(section.getByRole('textbox')).toHaveCount(0);
    await expectNoViolations(page, '#register');
    await page.getByRole('banner').getByRole('button', { name: 'Register Agent' }).click();
    await expect(section).toBeInViewport();
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
  },
);
