import { parseJson, toObject, type Json } from '@agent-registry/contracts';
import { parseHtml, type WebsiteFile } from '../website-files/parse-html.ts';
import { formats, type Format, type FormatName } from './formats.ts';
import { toValues, type ValidDescription } from './to-values.ts';

/** The title of pages that check browsers, in place of those of the website. */
const CHALLENGE = /^(?:just a moment|attention required|checking your browser|ddos-guard)/i;

/** The most objects below a file in which a description is looked for. */
const MAX_WRAPPED = 20;

/** Reads the descriptions of an agent from a page or a file in one of the formats. */
export function describeFile({ text, type, url }: WebsiteFile): ValidDescription[] {
  const value = parseJson(text);
  if (value === undefined && (type === 'text/html' || type === 'application/xhtml+xml')) {
    const page = readPage(text);
    return page ? describe(page, ['json-ld', 'open-graph', 'page']) : [];
  }
  const { pathname, hostname } = new URL(url);
  const file = pathname.split('/').at(-1) || hostname;
  // Some websites wrap it in a list or an answer. The address of such a file is none that programs can follow.
  const candidates = [value, ...Object.values(toObject(value))].flat().slice(0, MAX_WRAPPED);
  return candidates
    .flatMap((one) => describe(toObject(one), ['card', 'ard', 'mcp'], { file, url: one === value ? url : '' }))
    .slice(0, 1);
}

function describe(value: Json, names: readonly FormatName[], { file = '', url = '' } = {}): ValidDescription[] {
  return names.flatMap((name) => {
    const format: Format = formats[name];
    const found = format.find(value);
    return found ? [{ kind: name, source: format.source ?? file, ...toValues(found, format, url) }] : [];
  });
}

/** Reads the head of a page; undefined if it checks browsers. */
function readPage(html: string): Json | undefined {
  const { title, meta, canonical, jsonLd } = parseHtml(html);
  const line = title.replaceAll(/\s+/g, ' ').trim();
  if (CHALLENGE.test(line)) return undefined;
  const [shortTitle] = line.split(/ [–·|] /);
  return {
    title: shortTitle,
    meta: Object.fromEntries(meta),
    canonical,
    jsonLd: jsonLd.flatMap((text) => parseJson(text)),
  };
}
