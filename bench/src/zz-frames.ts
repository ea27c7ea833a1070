import { chromium } from 'playwright-core';
import { findBrowser } from '../../e2e/browser.ts';
import { startRegistry } from '../../e2e/registry.ts';
import { makeCorpus } from '../../apps/api/src/agents/test-corpus.ts';
const what = process.argv[2] ?? 'more';
const reg = await startRegistry([...makeCorpus(2000)]);
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const browser = await chromium.launch(await findBrowser());
const page = await browser.newPage(phone);
await page.goto(reg.url + '/');
await page.getByRole('button', { name: 'Save Draft', disabled: false }).waitFor();
const session = await page.context().newCDPSession(page);
await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
if (process.env.CSS) await page.addStyleTag({ content: process.env.CSS });
const begin = () => page.evaluate(async () => {
  for (let i = 0; i < 3; i++) await new Promise((r) => requestAnimationFrame(r));
  const w = window as any; w.loafs = []; w.evs = [];
  w.obs = new PerformanceObserver((l) => w.loafs.push(...l.getEntries().map((e: any) => ({ d: e.duration, t: e.startTime, rs: e.renderStart - e.startTime, sl: e.styleAndLayoutStart - e.startTime, scripts: e.scripts.map((s: any) => `${s.invoker}:${Math.round(s.duration)}${s.forcedStyleAndLayoutDuration ? '(forced ' + Math.round(s.forcedStyleAndLayoutDuration) + ')' : ''}`) }))));
  w.obs.observe({ type: 'long-animation-frame' });
  w.eobs = new PerformanceObserver((l) => w.evs.push(...l.getEntries().map((e: any) => `${e.name} ${e.duration} proc ${(e.processingStart - e.startTime).toFixed(0)}-${(e.processingEnd - e.startTime).toFixed(0)}`)));
  w.eobs.observe({ type: 'event', durationThreshold: 16 });
});
const end = () => page.evaluate(async (n) => { const w = window as any; const f = () => new Promise((r) => requestAnimationFrame(r)); while (document.querySelectorAll('#browse article').length < n) await f(); for (let i = 0; i < 8; i++) await f(); w.obs.disconnect(); w.eobs.disconnect(); return { loafs: w.loafs, evs: w.evs }; }, cards);
let cards = 0;
const count = () => page.evaluate(() => document.querySelectorAll('#browse article').length);
const show = (name: string, r: any) => { console.log(name, r.evs.join('; ')); for (const l of r.loafs) console.log('   LoAF', l.d.toFixed(0), 'script till', l.rs.toFixed(0), 'style/layout from', l.sl.toFixed(0), l.scripts.join(', ')); };
if (process.env.TRACE) await browser.startTracing(page, { path: process.env.TRACE, categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-v8.cpu_profiler', 'v8', 'blink'] });
if (process.env.PROF) { await session.send('Profiler.enable'); await session.send('Profiler.setSamplingInterval', { interval: 200 }); await session.send('Profiler.start'); }
if (what === 'more') for (let i = 0; i < Number(process.argv[3] ?? 6); i++) {
  const b = page.getByRole('button', { name: 'Load More Agents' }); await b.scrollIntoViewIfNeeded(); const box = (await b.boundingBox())!;
  cards = (await count()) + 12; await begin(); await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2); show('more', await end());
}
else {
  if (process.env.CARDS) for (let i = 0; i < 10; i++) { const n = await count(); await page.getByRole('button', { name: 'Load More Agents' }).click(); await page.waitForFunction((n) => document.querySelectorAll('#browse article').length > n, n); }
  if (what === 'refused') { await page.locator('#register [type=submit]').click(); await page.locator('#register [aria-invalid=true]').first().waitFor(); }
  for (const f of (process.argv[3] ?? 'name,description,contactEmail,category').split(',')) {
    await page.locator(`#register [name=${f}]`).focus();
    for (const k of f === 'category' ? ['ArrowDown', 'ArrowUp', 'ArrowDown'] : 'Reads f') { await begin(); await page.keyboard.press(k); show(f + ' ' + k, await end()); }
  }
}
if (process.env.PROF) { const { profile } = await session.send('Profiler.stop'); (await import('node:fs')).writeFileSync(process.env.PROF, JSON.stringify(profile)); }
if (process.env.TRACE) await browser.stopTracing();
await browser.close(); await reg.stop();
