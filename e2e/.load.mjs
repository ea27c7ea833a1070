import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const w of [1440, 360]) {
  const c = await b.newContext({ viewport: { width: w, height: w < 500 ? 740 : 900 }, reducedMotion: 'reduce' });
  const p = await c.newPage();
  await p.goto('http://localhost:4110/', { waitUntil: 'networkidle' });
  await p.route(/\/api\/|\/trpc/, async (r) => {
    await new Promise((x) => setTimeout(x, 1500));
    await r.abort();
  });
  await p.locator('#search').fill('weather');
  await p.keyboard.press('Enter');
  await p.waitForTimeout(600);
  await p.screenshot({ path: `/tmp/webwork/now/loading-${w}.png` });
  await p.waitForTimeout(2500);
  await p.screenshot({ path: `/tmp/webwork/now/error-${w}.png` });
  await c.close();
}
await b.close();
