import {
  describeLeft,
  fitText,
  fitTexts,
  parseJson,
  rowOf,
  textsAt,
  toObject,
  withoutValues,
  type DescribedField,
  type Json,
  type PrefilledField,
} from '@agent-registry/contracts';
import { parseHtml, type WebsiteFile } from '../website-files/parse-html.ts';
import { formats, type Format, type FormatName } from './formats.ts';
import { toValidWebsite, toWords } from './to-values.ts';

type Value = PrefilledField['value'];

/** What one source says of an agent, as it may be registered. */
export type ValidDescription = ReturnType<typeof describe>[number];

/** The title of pages that check browsers, in place of those of the website. */
const CHALLENGE = /^(?:just a moment|attention required|checking your browser|ddos-guard)/i;

/** The most objects below a file in which a description is looked for. */
const MAX_WRAPPED = 20;
/** The most parts that are told of. */
const MAX_LEFT = 8;
/** The most topics that are read, and the most UTF-16 code units of each. */
const [MAX_TOPICS, MAX_TOPIC_LENGTH] = [100, 100];

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

function describe(value: Json, names: readonly FormatName[], { file = '', url = '' } = {}) {
  return names.flatMap((kind) => {
    const format: Format = formats[kind];
    const found = format.find(value);
    if (!found) return [];
    const values: Partial<Record<DescribedField, Value>> = {};
    for (const [field, paths] of Object.entries(format.fields)) {
      const valid = toValue(field, textsAt(found, ...paths));
      if (valid !== undefined) values[field as DescribedField] = valid;
    }
    const { connections = [], left = [] } = format.connect?.(found, url) ?? {};
    if (connections.length > 0) values.connections = connections.map(withoutValues);
    const topics = textsAt(found, ...(format.topics ?? [])).slice(0, MAX_TOPICS);
    const words = topics.flatMap((topic) => toWords(topic.slice(0, MAX_TOPIC_LENGTH)));
    return {
      kind,
      /** Its name for people, such as `agent-card.json`. */
      source: format.source ?? file,
      values,
      /** Folded words that may name the category. */
      topics: [...new Set(words)],
      /** What is not taken of its ways to connect, as sentences without a period. */
      left: left.slice(0, MAX_LEFT).map((part) => describeLeft(part)),
    };
  });
}

/** The value of a field that texts of a stranger give; undefined if it may not be registered. */
function toValue(name: string, texts: readonly string[]): Value | undefined {
  const row = rowOf(name);
  switch (row?.kind) {
    case 'text':
      return fitText(texts[0], row.bounds);
    case 'texts':
      return fitTexts(texts, row);
    case 'address':
      return toValidWebsite(texts[0]);
    default:
      // Who names an address for programs has an API.
      return name === 'apiAccess' && texts.length > 0 ? 'yes' : texts[0];
  }
}

/** Reads the head of a page; undefined if it checks browsers. */
function readPage(html: string): Json | undefined {
  const { title, meta, canonical, jsonLd } = parseHtml(html);
  const line = title.replaceAll(/\s+/g, ' ').trim();
  if (CHALLENGE.test(line)) return undefined;
  const [shortTitle] = line.split(/ [–·|] /);
  const nodes = jsonLd.flatMap((text) => parseJson(text));
  return { title: shortTitle, meta: Object.fromEntries(meta), canonical, jsonLd: nodes };
}
