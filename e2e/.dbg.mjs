import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const c = await b.newContext({ viewport: { width: 1440, height: 900 } });
const p = await c.newPage();
p.on('pageerror', (e) => console.log(e.message.slice(0, 300)));
p.on('console', (m) => console.log(m.text().slice(0, 300)));
for (const u of ['http://localhost:4110/?view=rows', 'http://localhost:4110/?view=rows', 'http://localhost:4110/']) {
  await p.goto(u, {});
  await p.locator('#browse').getByRole('combobox', { name: 'Search agents' }).focus();
  await p.waitForTimeout(2500);
  console.log(
    await p.evaluate(() => [
      document.activeElement?.id,
      document.querySelector('#search').getAttribute('aria-expanded'),
    ]),
  );
  console.log(u, await p.locator('[role=option]').allTextContents());
}
await b.close();
