import { parseHtml } from '../website-files/parse-html.ts';
import type { Description } from './description.ts';
import { readJsonLd } from './read-json-ld.ts';

/** The title of pages that check browsers, in place of those of the website. */
const CHALLENGE = /^(?:just a moment|attention required|checking your browser|ddos-guard)/i;

/** Reads the JSON-LD, the Open Graph properties and the head of a page; nothing from a page that checks browsers. */
export function readHtml(html: string): Description[] {
  const { title, meta, canonical, jsonLd } = parseHtml(html);
  const line = title.replaceAll(/\s+/g, ' ').trim();
  if (CHALLENGE.test(line)) return [];
  const software = readJsonLd(jsonLd.flatMap(parseScript));
  const [shortTitle] = line.split(/ [–·|] /);
  return [
    ...(software ? [software] : []),
    {
      kind: 'open-graph',
      source: 'Open Graph',
      name: meta.get('og:site_name'),
      description: meta.get('og:description'),
    },
    { kind: 'page', source: 'the page', name: shortTitle, description: meta.get('description'), website: canonical },
  ];
}

function parseScript(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
