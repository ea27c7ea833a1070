// Takes the README's picture of the built product; with a folder as argument, every screen at three widths in both schemes.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from './browser.ts';
import { startRegistry } from './registry.ts';

const [folder] = process.argv.slice(2);
const registry = await startRegistry();
const browser = await chromium.launch(await findBrowser());
try {
  if (folder) await takeAll(folder);
  else await takeReadmePicture();
} finally {
  await browser.close();
  await registry.stop();
}

async function takeReadmePicture() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 960 } });
  await open(page, '/');
  await page.screenshot({ path: join(import.meta.dirname, '../docs/screenshot.png') });
}

async function takeAll(into: string) {
  mkdirSync(into, { recursive: true });
  const agents = (await (await fetch(`${registry.url}/api/agents`)).json()) as { id: string }[];
  const screens = {
    home: '/',
    search: '/?q=translate',
    none: '/?q=zzzzzz',
    agent: `/agent/${agents[3]?.id}`,
    '404': '/x',
  };
  for (const width of [360, 768, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      for (const [name, path] of Object.entries(screens)) {
        await open(page, path);
        await page.screenshot({ path: join(into, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      await page.close();
    }
  }
}

async function open(page: Page, path: string) {
  await page.goto(registry.url + path);
  await page
    .getByTestId(/skeleton/)
    .first()
    .waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
}
