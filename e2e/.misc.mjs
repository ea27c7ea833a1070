import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const shot = async (name, opts, url, f) => {
  const c = await b.newContext(opts);
  const p = await c.newPage();
  p.on('pageerror', (e) => console.log(name, e.message.slice(0, 200)));
  await p.goto('http://localhost:4110' + url, { waitUntil: 'networkidle' });
  if (f) await f(p);
  await p.waitForTimeout(300);
  await p.screenshot({ path: `/tmp/webwork/now/m-${name}.png` });
  console.log(name, await p.evaluate(() => document.documentElement.scrollWidth - innerWidth));
  await c.close();
};
await shot('404', { viewport: { width: 1440, height: 900 } }, '/nothing');
await shot('404d', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }, '/nothing');
await shot(
  'forced',
  { viewport: { width: 1440, height: 900 }, forcedColors: 'active', colorScheme: 'dark' },
  '/?category=vision',
);
await shot('nojs', { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false }, '/');
await shot(
  'nojs360',
  { viewport: { width: 360, height: 740 }, javaScriptEnabled: false, colorScheme: 'dark' },
  '/?q=translate',
);
await shot('z400', { viewport: { width: 320, height: 256 } }, '/?q=translate');
await shot('z200', { viewport: { width: 720, height: 450 } }, '/');
await shot('print', { viewport: { width: 794, height: 1123 } }, '/?q=translate', (p) =>
  p.emulateMedia({ media: 'print' }),
);
await shot('rtl', { viewport: { width: 1440, height: 900 } }, '/?view=rows&connects=mcp');
await shot('rows1024', { viewport: { width: 1024, height: 800 } }, '/?view=rows&connects=mcp');
await shot('home1024', { viewport: { width: 1024, height: 800 } }, '/');
// CLS
for (const [w, url] of [
  [1440, '/'],
  [360, '/'],
  [1440, '/?q=translate'],
  [360, '/?view=rows'],
  [1440, '/?compare=' + (await import('node:fs')).readFileSync('/tmp/webwork/ids', 'utf8')],
  [360, '/?q=qqqzzz+xxyzzy'],
]) {
  const c = await b.newContext({ viewport: { width: w, height: 800 } });
  const p = await c.newPage();
  await p.addInitScript(() => {
    window.cls = 0;
    new PerformanceObserver((l) => {
      for (const e of l.getEntries()) window.cls += e.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await p.goto('http://localhost:4110' + url, { waitUntil: 'networkidle' });
  await p.waitForTimeout(800);
  console.log('cls', w, url.slice(0, 30), await p.evaluate(() => window.cls));
  await c.close();
}
await b.close();
