import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [w, s] of [
  [1440, 'light'],
  [360, 'dark'],
  [360, 'light'],
]) {
  const c = await b.newContext({
    viewport: { width: w, height: w < 500 ? 740 : 900 },
    colorScheme: s,
    hasTouch: w < 500,
    isMobile: w < 500,
    reducedMotion: 'reduce',
  });
  const p = await c.newPage();
  await p.addInitScript(
    (k) => localStorage.setItem(k[0], k[1]),
    JSON.parse((await import('node:fs')).readFileSync('/tmp/webwork/keep.json', 'utf8')),
  );
  await p.goto('http://localhost:4110/', { waitUntil: 'networkidle' });
  await p.getByRole('button', { name: /^Filters/ }).click();
  await p.waitForTimeout(300);
  await p.screenshot({ path: `/tmp/webwork/now/filters-${w}-${s}.png` });
  await p.keyboard.press('Escape');
  await p.locator('#search').fill('trans');
  await p.waitForTimeout(900);
  await p.screenshot({ path: `/tmp/webwork/now/sugg-${w}-${s}.png` });
  await p.keyboard.press('Escape');
  await p.keyboard.press('Escape');
  if (w < 500) {
    await p.getByRole('button', { name: 'Open menu' }).click();
    await p.waitForTimeout(600);
    await p.screenshot({ path: `/tmp/webwork/now/menu-${w}-${s}.png` });
  }
  await c.close();
}
await b.close();
