import { hostileTexts } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import type { Page } from '@playwright/test';
import { startRegistry } from './registry.ts';
import { expect, test, validAgent } from './test.ts';

/** Texts that would take effect as markup, script or template. The tests of pages without a browser have all kinds. */
const texts = process.env.TEST_TIER === 'all' ? hostileTexts.markup : hostileTexts.markup.slice(0, 1);

const MARKS = '\u0300\u0301\u0302\u0303\u0308\u0330\u0331\u0332'.repeat(12);

/** An agent that was stored by a version that accepted any number of marks. */
const heap = makeAgent({
  id: '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f',
  name: `H${MARKS}eap a${MARKS}b`,
  description: `The d${MARKS}escription.`,
  category: 'vision',
  capabilities: [`c${MARKS}`],
});

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

    for (const [index, text] of texts.entries()) {
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
      const capabilities = theAgent(page).locator('section', {
        has: page.getByRole('heading', { name: 'Capabilities' }),
      });
      await expect(capabilities.getByRole('listitem')).toHaveText(agent.capabilities);
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
      texts.toReversed().map((text) => `${text} otterling`),
    );
    await page.goto('/?q=otterling');
    await expect(page.locator('#browse mark')).not.toHaveCount(0);
    for (const text of texts) {
      await page.goto(`/?q=${encodeURIComponent(text)}`);
      await expect(page.locator('#search')).toHaveValue(text);
      await expect(page.locator('#browse').getByRole('heading', { level: 3 }).first()).toHaveText(`${text} otterling`);
    }

    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
    await page.getByLabel('Agent Name').fill(`${texts.at(-1)} by hand`);
    await page.getByLabel('Description').fill(texts[0] ?? '');
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

test('marks on a letter do not paint over what is around a text', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  const registry = await startRegistry([heap]);
  try {
    for (const path of ['/', `/agent/${heap.id}`]) {
      await page.goto(registry.url + path);
      const article = page.getByRole('article').first();
      const mark = article.locator('[aria-hidden]').filter({ hasText: 'H' });
      const texts = [article.getByRole('heading', { name: 'eap' }), article.getByText('escription.'), mark];
      const covered = [...texts, article.getByRole('listitem').first()];
      for (const text of covered) await text.evaluate(coverText);
      const withMarks = await page.screenshot();
      for (const text of covered) await text.evaluate(hideText);
      expect(await page.evaluate(countDifferences, [toDataUrl(withMarks), toDataUrl(await page.screenshot())])).toBe(0);
    }
  } finally {
    await registry.stop();
  }
});

/** Covers a text, and a margin for letters that are taller than a line. */
function coverText(element: HTMLElement): void {
  const { left, top, width, height } = element.getBoundingClientRect();
  const margin = Number.parseFloat(getComputedStyle(element).fontSize) / 2;
  const cover = document.body.appendChild(document.createElement('div'));
  cover.style.cssText = `position: absolute; z-index: 999; background: #888; left: ${scrollX + left - margin}px; top: ${scrollY + top - margin}px; width: ${width + 2 * margin}px; height: ${height + 2 * margin}px`;
}

function toDataUrl(png: Buffer): string {
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Counts the pixels in which two pictures of the same size differ visibly. */
async function countDifferences(urls: readonly string[]): Promise<number> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  for (const [index, url] of urls.entries()) {
    const image = new Image();
    image.src = url;
    await image.decode();
    if (index === 0) Object.assign(canvas, { width: image.width, height: image.height });
    context.globalCompositeOperation = index === 0 ? 'copy' : 'difference';
    context.drawImage(image, 0, 0);
  }
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  // Smooth edges may differ a little.
  return data.filter((value, index) => index % 4 !== 3 && value > 64).length;
}

/** Hides a text without changing its size. */
function hideText(element: HTMLElement): void {
  for (const { style } of [element, ...element.querySelectorAll<HTMLElement>('*')]) style.color = 'transparent';
}
