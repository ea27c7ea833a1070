import { Parser } from 'htmlparser2';
import type { Description } from './description.ts';
import { readJsonLd } from './read-json-ld.ts';

/** The title of pages that check browsers, in place of those of the website. */
const CHALLENGE = /^(?:just a moment|attention required|checking your browser|ddos-guard)/i;

/** Reads the JSON-LD, the Open Graph properties and the head of a page; nothing from a page that checks browsers. */
export function readHtml(html: string): Description[] {
  const { title, meta, canonical, scripts } = parseHtml(html);
  if (CHALLENGE.test(title.trim())) return [];
  const jsonLd = readJsonLd(scripts.flatMap(parseScript));
  const [shortTitle] = title.split(/\s+[–·|]\s+/);
  return [
    ...(jsonLd ? [jsonLd] : []),
    {
      kind: 'open-graph',
      source: 'Open Graph',
      name: meta.get('og:site_name'),
      description: meta.get('og:description'),
    },
    { kind: 'page', source: 'the page', name: shortTitle, description: meta.get('description'), website: canonical },
  ];
}

function parseHtml(html: string) {
  const meta = new Map<string, string>();
  const scripts: string[] = [];
  let title: string | undefined;
  let canonical: string | undefined;
  let text = '';
  const parser = new Parser({
    onopentag(name, { property, name: metaName, content, rel, href, type }) {
      text = '';
      const key = (property ?? metaName)?.toLowerCase();
      if (name === 'meta' && key && content && !meta.has(key)) meta.set(key, content);
      if (name === 'link' && rel?.toLowerCase() === 'canonical') canonical ??= href;
      if (name === 'script' && type?.toLowerCase() === 'application/ld+json') scripts.push('');
      else if (name === 'script') scripts.push('null');
    },
    ontext(part) {
      text += part;
    },
    onclosetag(name) {
      // Titles of images within the page come later.
      if (name === 'title') title ??= text;
      if (name === 'script' && scripts.at(-1) === '') scripts[scripts.length - 1] = text;
    },
  });
  parser.end(html);
  return { title: title ?? '', meta, canonical, scripts };
}

function parseScript(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
