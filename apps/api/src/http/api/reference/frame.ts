import { FEED_PATH, OPENAPI_PATH, type SiteConfig } from '@agent-registry/contracts';
import { Html, html } from './html.ts';

/** The styles of the page. Colours and sizes are those of the site, whose stylesheet comes first. */
const STYLES = `
body { margin: 0; }
body > * { color: var(--text); overflow-wrap: anywhere; font: 1rem/1.6 'Inter Variable', 'Inter Fallback', system-ui, sans-serif; }
.bar, main { box-sizing: border-box; max-width: var(--container-width, 60rem); margin: 0 auto; padding-inline: 1rem; }
a { color: var(--link-text); }
.skip { position: fixed; top: 0.5rem; left: 0.5rem; z-index: 300; padding: 0.5rem 1rem; border-radius: 0.625rem;
  background: var(--panel-background); transform: translateY(-200%); }
.skip:focus { transform: none; }

.top { position: sticky; top: 0; z-index: 100; border-bottom: 1px solid var(--panel-border); background: var(--panel-background); }
.top .bar { display: flex; align-items: center; gap: 0.5rem; min-height: var(--header-height); }
.top a { color: var(--muted-text); font-size: 0.875rem; font-weight: 550; text-decoration: none; }
.top nav a { padding: 0.5rem 0.75rem; border-radius: 0.5rem; }
.top nav a:hover { background: var(--hover-background); color: var(--text); }
.top .brand { display: flex; align-items: center; gap: 0.625rem; min-height: var(--control-height); margin-inline-end: auto;
  color: var(--text); font-size: 1rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.3; }
.links { display: none; }
.menu { position: relative; }
.menu nav { position: absolute; top: 100%; right: 0; display: grid; min-width: 14rem; padding: 0.5rem;
  border: 1px solid var(--panel-border); background: var(--panel-background); }
.menu nav a { padding-block: 0.75rem; }
.menu summary { list-style: none; }
.scheme, .menu summary, .send, .top .register { display: inline-flex; align-items: center; min-height: var(--control-height); padding: 0 0.875rem;
  border: 1px solid var(--control-border); border-radius: 0.5rem; background: var(--panel-background); color: var(--text);
  font: inherit; font-size: 0.875rem; font-weight: 550; cursor: pointer; }
:is(.scheme, .menu summary):hover { background: var(--hover-background); }
.scheme[hidden] { display: none; }
.scheme { justify-content: center; width: var(--control-height); padding: 0; }
.scheme svg { width: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
[data-mantine-color-scheme='light'] .sun, [data-mantine-color-scheme='dark'] .moon { display: none; }
.send, .top .register { border-color: transparent; background: var(--link-text); color: var(--panel-background); }
@media (max-width: 61.99em) { .top .register { display: none; } }
footer { margin-top: 3rem; padding-block: 1rem; border-top: 1px solid var(--panel-border); background: var(--panel-background); }
footer a { display: inline-block; padding: 0.625rem 1rem 0.625rem 0; font-size: 0.875rem; }

main { padding-block: 2rem; }
main:focus { outline: none; }
main h1, main h2, main h3 { margin: 0; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
main h1 { font-size: clamp(1.75rem, 1.1rem + 2.6vw, 2.75rem); line-height: 1.12; }
main h2 { margin-top: 3.5rem; font-size: 1.625rem; line-height: 1.3; }
main h3 { font-size: 1.125rem; }
main h4 { margin: 1.5rem 0 0.375rem; font-size: 0.875rem; font-weight: 650; }
main p { max-width: 46rem; margin: 0.5rem 0; }
.lead { font-size: 1.0625rem; }
main b { color: var(--link-text); font-size: 0.85em; font-weight: 650; }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, monospace; }
small, dd, .overview span { color: var(--muted-text); font-size: 0.875rem; }

.overview h2 { margin-top: 2rem; font-size: 1.125rem; }
.overview h2 a { color: inherit; text-decoration: none; }
.overview ul, dl { margin: 0.5rem 0 0; padding: 0; border: 1px solid var(--panel-border); border-radius: 0.875rem;
  background: var(--panel-background); list-style: none; }
.overview li, dl > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1rem; align-items: baseline; padding: 0.375rem 1rem; }
:is(.overview li, dl > div) + * { border-top: 1px solid var(--panel-border); }
.overview li a { padding-block: 0.25rem; text-decoration: none; }
.overview li a:hover { text-decoration: underline; }
dd { margin: 0; }

main section { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--panel-border); }
main section > h2 { margin-top: 0; }
details summary { min-height: 1.5rem; padding-block: 0.375rem; cursor: pointer; font-size: 0.875rem; }
pre { margin: 0 0 0.5rem; padding: 0.75rem 1rem; overflow-x: auto; border-radius: 0.625rem; background: #10181f; color: #eef2f6;
  font-size: 0.875rem; line-height: 1.5; }

.try[hidden] { display: none; }
.try { margin-top: 1.5rem; padding: 0.25rem 1rem; border: 1px solid var(--panel-border); border-radius: 0.875rem; background: var(--panel-background); }
.try summary { font-weight: 650; }
.try label { display: block; margin-top: 0.5rem; font-size: 0.875rem; }
.try :is(input, select) { box-sizing: border-box; width: 100%; min-height: var(--control-height); padding: 0 0.625rem;
  border: 1px solid var(--field-border); border-radius: 0.5rem; background: var(--panel-background); color: var(--text);
  font: inherit; font-size: var(--field-font-size); }
.try ::placeholder { color: var(--muted-text); opacity: 1; }
.send { margin-block: 0.75rem; }
.try output { display: block; font-size: 0.875rem; }
.try output pre { max-height: 24rem; margin-top: 0.375rem; overflow: auto; }

@media (min-width: 40em) {
  .overview li, dl > div { grid-template-columns: minmax(0, 14rem) minmax(0, 1fr); }
  dd { grid-column: 2; }
}
@media (min-width: 62em) {
  .links { display: flex; }
  .overview li { grid-template-columns: minmax(0, 25rem) minmax(0, 1fr); }
  .menu { display: none; }
  .columns { display: grid; grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); gap: 2rem; align-items: start; }
}
@media print { .top, .try { display: none; } }
`;

/** The script of the page, in the web app's folder of public files. */
const SCRIPT = '/api-reference.js';

/** The page where no web app is built. */
const PLAIN_TEMPLATE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><!--head--></head><body><!--page--></body></html>';

const links = [
  ['/#browse', 'Browse Agents'],
  ['/#categories', 'Categories'],
  ['/#about', 'About'],
] as const;

const ICONS = new Html(
  '<svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a7 7 0 0 0 9 9 9 9 0 1 1-9-9z"/></svg>' +
    '<svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4"/>' +
    '<path d="M12 3v1m0 16v1M3 12h1m16 0h1M5.6 5.6l.7.7m11.4 11.4.7.7m0-12.8-.7.7M6.3 17.7l-.7.7"/></svg>',
);

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
    ${new Html(`<style>${STYLES}</style>`)}
    ${template !== PLAIN_TEMPLATE && html`<script src="${SCRIPT}" defer></script>`}`;
  const page = html`<a class="skip" href="#main">Skip to content</a>
    ${renderHeader(siteConfig)}
    <main id="main" tabindex="-1">${content}</main>
    <footer>
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
  return html`<header class="top">
    <div class="bar">
      <a class="brand" href="/"><img src="${logo ?? '/favicon.svg'}" alt="" width="28" height="28" /> ${name}</a>
      <nav class="links" aria-label="Main">${anchors}</nav>
      <button type="button" class="scheme" data-scheme hidden>${ICONS}</button>
      <a class="register" href="/#register">Register Agent</a>
      <details class="menu">
        <summary>Menu</summary>
        <nav aria-label="Menu">${anchors}<a href="/#register">Register Agent</a></nav>
      </details>
    </div>
  </header>`;
}
