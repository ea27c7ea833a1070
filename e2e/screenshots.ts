// Takes the pictures of the README; with a folder as argument, screenshots of every screen at three widths in both colour schemes.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContextOptions, type Page } from '@playwright/test';
import { findWholeBrowser } from './browser.ts';
import { startRegistry } from './registry.ts';

const [folder] = process.argv.slice(2);
const registry = await startRegistry();
const browser = await chromium.launch(await findWholeBrowser());
try {
  if (folder) await takeAll(folder);
  else await takeReadmePictures();
} finally {
  await browser.close();
  await registry.stop();
}

/** Home and an agent that one can connect to, in both colour schemes, and home on a phone. */
async function takeReadmePictures() {
  const folder = join(import.meta.dirname, '../docs/pictures');
  mkdirSync(folder, { recursive: true });
  const agents = (await (await fetch(`${registry.url}/api/agents`)).json()) as {
    id: string;
    connections?: unknown[];
  }[];
  const agent = agents.find(({ connections = [] }) => connections.length > 1);
  const agentPath = `/agent/${agent?.id}`;
  const desktop = { width: 1280, height: 860 };
  await take(join(folder, 'home.png'), '/', { viewport: desktop, colorScheme: 'light' });
  await take(join(folder, 'home-dark.png'), '/', { viewport: desktop, colorScheme: 'dark' });
  await take(join(folder, 'agent.png'), agentPath, { viewport: desktop, colorScheme: 'light' });
  await take(join(folder, 'agent-dark.png'), agentPath, { viewport: desktop, colorScheme: 'dark' });
  await take(join(folder, 'phone.png'), '/', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
}

async function take(file: string, path: string, options: BrowserContextOptions) {
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
  await open(page, path);
  await page.screenshot({ path: file });
  await page.close();
}

type Screen = {
  path: string;
  /** Leads from the path to the screen. */
  act?: (page: Page) => Promise<unknown>;
};

async function takeAll(into: string) {
  mkdirSync(into, { recursive: true });
  const agents = (await (await fetch(`${registry.url}/api/agents`)).json()) as { id: string }[];
  const screens: Record<string, Screen> = {
    home: { path: '/' },
    search: { path: '/?q=translate' },
    category: { path: '/?category=vision' },
    empty: { path: '/?q=zzzzzz' },
    agent: { path: `/agent/${agents[3]?.id}` },
    ...Object.fromEntries(
      ['edit', 'withdraw', 'key', 'report'].map((form) => [form, { path: `/agent/${agents[3]?.id}?manage=${form}` }]),
    ),
    'api-reference': { path: '/api/docs' },
    'agent-not-found': { path: '/agent/no-uuid' },
    'page-not-found': { path: '/x' },
    'form-errors': {
      path: '/#register',
      act: async (page) => {
        await page.getByRole('main').getByRole('button', { name: 'Register Agent' }).click();
        await page.getByRole('alert').waitFor();
      },
    },
    toast: {
      path: '/',
      act: async (page) => {
        await page.getByRole('button', { name: 'Save Draft' }).click();
        await page
          .getByRole('region', { name: /Notifications/ })
          .getByText('Draft saved')
          .waitFor();
      },
    },
    drawer: {
      path: '/',
      act: async (page) => {
        // Wide screens have no drawer.
        if (await page.getByRole('banner').getByRole('link', { name: 'About' }).isVisible()) return;
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('dialog').getByRole('link', { name: 'About' }).waitFor();
      },
    },
    unreachable: {
      path: '/',
      act: async (page) => {
        await page.route('**/api/agents/category/*', (route) => route.abort());
        await page.getByRole('button', { name: 'Computer', exact: true }).click();
        await page.getByRole('button', { name: 'Try again' }).scrollIntoViewIfNeeded();
      },
    },
  };
  for (const width of [360, 768, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' });
      for (const [name, { path, act }] of Object.entries(screens)) {
        await open(page, path);
        await act?.(page);
        await page.screenshot({ path: join(into, `${name}-${width}-${colorScheme}.png`), fullPage: act === undefined });
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
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}
