import type { Page } from '@playwright/test';
import { expect, openForm, test, validAgent } from './test.ts';

/** Texts that would take effect as markup, script or template. */
const hostileTexts = [
  '<script>alert(1)</script>"><svg onload=alert(1)>',
  "<img src=x onerror=alert(1)> javascript:alert(1)//'",
  '</title></script><script>alert(1)</script> &lt;b&gt; <!--',
  '{{7*7}} ${7*7} <%= 7*7 %> {% debug %} $& $1 $`',
];

/** The agent of the page, without the cards below it. */
const theAgent = (page: Page) => page.getByRole('article').filter({ has: page.getByRole('heading', { level: 1 }) });

test(
  'text of agents is shown as text everywhere and never runs',
  { tag: '@desktop' },
  async ({ page, client, registry }) => {
    const happened: string[] = [];
    page.on('dialog', (dialog) => {
      happened.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(registry.url)) happened.push(request.url());
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        console.error(`${violatedDirective} ${blockedURI}`);
      });
    });

    for (const [index, text] of hostileTexts.entries()) {
      const agent = await client.agents.register.mutate({
        ...validAgent,
        name: `${text} otterling`,
        description: `${text}\n${text} otterling`,
        capabilities: [text, `a ${text}`.slice(0, 60), 'otterling', `more ${index}`],
        contactEmail: `a+b'c-${index}@marmot.example.com`,
        website: `https://marmot.example.com/?q=${encodeURIComponent(text)}"onclick="alert(1)#<script>`,
      });

      await page.goto(`/agent/${agent.id}`);
      await expect(theAgent(page).getByRole('heading', { level: 1 })).toHaveText(agent.name);
      await expect.poll(() => page.title()).toContain(agent.name);
      await expect(theAgent(page).getByRole('listitem')).toHaveText(agent.capabilities);
      await expect(theAgent(page)).toContainText(agent.description.replace('\n', ' '), {
        useInnerText: false,
      });
      const mail = await page.getByRole('link', { name: 'Contact Agent Owner' }).getAttribute('href');
      expect(new URL(mail ?? '')).toMatchObject({ protocol: 'mailto:', search: '', hash: '' });
      const website = page.getByRole('link', { name: 'Visit Website' });
      await expect(website).toHaveJSProperty('protocol', 'https:');
      await expect(website).toHaveJSProperty('host', 'marmot.example.com');
      await expect(website).not.toHaveAttribute('onclick');

      // JSON is never sniffed as HTML.
      const { headers } = await fetch(`${registry.url}/api/agents/${agent.id}`);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }

    await page.goto('/');
    await expect(page.locator('#browse').getByRole('heading', { level: 3, name: 'otterling' })).toHaveText(
      hostileTexts.toReversed().map((text) => `${text} otterling`),
    );
    await page.goto('/?q=otterling');
    await expect(page.locator('#browse mark')).not.toHaveCount(0);
    for (const text of hostileTexts) {
      await page.goto(`/?q=${encodeURIComponent(text)}`);
      await expect(page.locator('#search')).toHaveValue(text);
      await expect(page.locator('#browse').getByRole('heading', { level: 3 }).first()).toHaveText(`${text} otterling`);
    }

    await openForm(page, '/#register');
    await page.getByLabel('Agent Name').fill(`${hostileTexts[1]} by hand`);
    await page.getByLabel('Description').fill(hostileTexts[0] ?? '');
    await page.getByLabel('Category').selectOption('Automation & Workflow');
    await page.getByLabel('Contact Email').fill(validAgent.contactEmail);
    await page.getByLabel(/I agree to the terms/).check();
    await page.getByRole('main').getByRole('button', { name: 'Register Agent' }).click();
    const toast = page.getByRole('region', { name: /Notifications/ });
    await expect(toast).toContainText(/registered/i);

    // No text has become an element.
    expect(
      await page
        // Scripts with a data type are not run.
        .locator('script:not([src]):not([type]), img[src="x"], svg[onload], [onerror], [onclick]')
        .evaluateAll((elements) =>
          elements.map((element) => element.outerHTML).filter((html) => html.includes('alert(')),
        ),
    ).toEqual([]);
    expect(happened).toEqual([]);
  },
);
