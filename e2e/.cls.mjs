import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [w, url] of [
  [360, '/?q=qqqzzz+xxyzzy'],
  [1440, '/?q=translate'],
  [360, '/'],
]) {
  const c = await b.newContext({ viewport: { width: w, height: 800 } });
  const p = await c.newPage();
  await p.addInitScript(() => {
    window.sh = [];
    new PerformanceObserver((l) => {
      for (const e of l.getEntries())
        window.sh.push([
          e.value,
          e.startTime,
          e.sources.map((s) =>
            [
              (s.node?.outerHTML ?? s.node?.parentElement?.outerHTML ?? '?').slice(0, 90),
              s.previousRect.y,
              s.currentRect.y,
              s.previousRect.height,
              s.currentRect.height,
              s.previousRect.x,
              s.currentRect.x,
            ].join('|'),
          ),
        ]);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await p.goto('http://localhost:4110' + url, { waitUntil: 'networkidle' });
  await p.waitForTimeout(800);
  console.log(w, url, JSON.stringify(await p.evaluate(() => window.sh), null, 1));
  await c.close();
}
await b.close();
