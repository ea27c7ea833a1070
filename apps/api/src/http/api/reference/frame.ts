import { readFileSync } from 'node:fs';
import { FEED_PATH, OPENAPI_PATH, type SiteConfig } from '@agent-registry/contracts';
import { Html, html } from './html.ts';

const STYLES = readFileSync(new URL('./reference.css', import.meta.url), 'utf8');

/** The page where no web app is built. */
const PLAIN_TEMPLATE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><!--head--></head><body><!--page--></body></html>';

const links = [
  ['/#browse', 'Browse Agents'],
  ['/#categories', 'Categories'],
  ['/#about', 'About'],
] as const;

/** What the frame of the page shows. */
export type Frame = {
  /** The HTML of the built web app; none if it is not built. */
  template: string | undefined;
  siteConfig: SiteConfig;
};

/**
 * Puts the content of the page into the frame of the site: its header, its typeface and its colour schemes. Of the web
 * app's scripts only the one stays that sets the colour scheme.
 */
export function renderFrame(content: Html, { template = PLAIN_TEMPLATE, siteConfig }: Frame): string {
  const { name } = siteConfig;
  const head = html`<title>API reference – ${name}</title>
    <meta name="description" content="The calls of the REST API of ${name}." />
    ${new Html(`<style>${STYLES}</style>`)}`;
  const page = html`<a class="skip" href="#main">Skip to content</a>
    ${renderHeader(siteConfig)}
    <main id="main" tabindex="-1">${content}</main>
    <footer class="ink">
      <div class="bar">
        <nav aria-label="Programs">
          <a href="${OPENAPI_PATH}">OpenAPI document</a> <a href="${FEED_PATH}">Feed of new and changed agents</a>
        </nav>
      </div>
    </footer>`;
  return template
    .replaceAll(/<script>.*?<\/script>/gs, (script) => (script.includes('color-scheme') ? script : ''))
    .replace('<!--head-->', () => head.markup)
    .replace('<!--page-->', () => page.markup)
    .replace('<!--state-->', '');
}

function renderHeader({ name, logo }: SiteConfig): Html {
  const anchors = links.map(([href, label]) => html`<a href="${href}">${label}</a>`);
  return html`<header class="top ink">
    <div class="bar">
      <a class="brand" href="/"><img src="${logo ?? '/favicon.svg'}" alt="" width="28" height="28" /> ${name}</a>
      <nav class="links" aria-label="Main">${anchors}</nav>
      <a class="register" href="/#register">Register Agent</a>
      <details class="menu">
        <summary>Menu</summary>
        <nav aria-label="Menu">${anchors}<a href="/#register">Register Agent</a></nav>
      </details>
    </div>
  </header>`;
}
