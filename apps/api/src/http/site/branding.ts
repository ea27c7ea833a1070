import { escapeXml, type SiteConfig } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import type { Logo } from '../../site-config.ts';
import { CACHE_FOR_AN_HOUR, CACHE_FOR_EVER } from '../cache/response-cache.ts';

/** The files of the built web app in whose place a branded registry serves its own. */
export const brandedFiles = ({ isCustom }: SiteConfig) => (isCustom ? ['manifest.webmanifest'] : []);

export function brandTemplate(template: string, { isCustom, logo, name, palette }: SiteConfig): string {
  if (!isCustom) return template;
  const { light, dark } = palette?.link ?? {};
  const styles = `:root:root,.ink.ink{--link-text:light-dark(${light},${dark});--focus-ring:light-dark(${light},${dark})}`;
  return template
    .replace(/(?<=<link rel="search"[^>]* title=")[^"]*/, () => escapeXml(name))
    .replaceAll(/<link rel="(?:icon|apple-touch-icon)"[^>]*>\s*/g, (link) => (logo === null ? link : ''))
    .replace('<!--head-->', (head) =>
      [palette && `<style>${styles}</style>`, logo !== null && `<link rel="icon" href="${logo}">`, head]
        .filter(Boolean)
        .join(''),
    );
}

export function registerBranding(app: FastifyInstance, siteConfig: SiteConfig, logo: Logo | undefined): void {
  if (!siteConfig.isCustom) return;
  const { name, summary, colour } = siteConfig;
  const icons = logo ? [{ src: logo.path, sizes: 'any', type: logo.type }] : defaultIcons;
  const manifest = {
    name,
    short_name: name,
    description: summary,
    start_url: '/',
    display: 'browser',
    background_color: '#f7f9fa',
    theme_color: colour,
    icons,
  };
  app.get('/manifest.webmanifest', { config: { rateLimit: false } }, (_request, reply) =>
    reply
      .header('Cache-Control', CACHE_FOR_AN_HOUR)
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifest)),
  );
  if (!logo) return;
  app.get(logo.path, { config: { rateLimit: false } }, (_request, reply) =>
    reply
      .header('Cache-Control', CACHE_FOR_EVER)
      // An SVG that is opened as a page runs no scripts.
      .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .type(logo.type)
      .send(logo.bytes),
  );
}

const defaultIcons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
];
