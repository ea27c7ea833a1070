import { CHALLENGE_META } from '@agent-registry/contracts';
import { Parser } from 'htmlparser2';

export type WebsiteFile = {
  text: string;
  type: string;
  url: string;
};

const MAX_DEPTH = 512;
const MAX_ATTRIBUTES = 256;
/** The most UTF-16 code units of a title that are read. */
const MAX_TITLE_LENGTH = 1_000;
/** The most UTF-16 code units of a challenge, and the most challenges of a page. */
const [MAX_CHALLENGE_LENGTH, MAX_CHALLENGES] = [100, 20];

export type Page = {
  /** The first title; empty without one. */
  title: string;
  /** The contents of `<meta>` by property or name, the first of each. */
  meta: Map<string, string>;
  canonical: string | undefined;
  jsonLd: string[];
  /** The challenges in its head. Visitors of the website may write elsewhere on the page. */
  challenges: string[];
};

const HEAD_ELEMENTS = new Set(['html', 'head', 'base', 'link', 'meta', 'script', 'style', 'title']);
const TEXT_ELEMENTS = new Set(['script', 'style', 'title']);
/** The elements of a head whose content browsers do not show. */
const INERT_ELEMENTS = new Set(['noscript', 'template']);

/** @throws {Error} beyond a bound */
export function parseHtml(html: string): Page {
  const page: Page = { title: '', meta: new Map(), canonical: undefined, jsonLd: [], challenges: [] };
  const head = trackHead();
  let [depth, attributes] = [0, 0];
  let hasTitle = false;
  let isJsonLd = false;
  let text = '';
  const parser = new Parser({
    onopentagname() {
      attributes = 0;
      depth += 1;
      if (depth > MAX_DEPTH) throw new Error('The page has too many open elements');
    },
    onattribute() {
      attributes += 1;
      if (attributes > MAX_ATTRIBUTES) throw new Error('An element of the page has too many attributes');
    },
    onopentag(name, { property, name: metaName, content, rel, href, type }) {
      text = '';
      head.open(name);
      const key = (property ?? metaName)?.toLowerCase();
      if (name === 'meta' && key && content) {
        if (!page.meta.has(key)) page.meta.set(key, content);
        const isChallenge = metaName?.toLowerCase() === CHALLENGE_META && content.length <= MAX_CHALLENGE_LENGTH;
        if (isChallenge && head.isOpen() && page.challenges.length < MAX_CHALLENGES)
          page.challenges.push(content.trim());
      }
      if (
        name === 'link' &&
        rel
          ?.toLowerCase()
          .split(/[\t\n\f\r ]+/)
          .includes('canonical')
      )
        page.canonical ??= href;
      isJsonLd = name === 'script' && /^[\t\n\f\r ]*application\/ld\+json[\t\n\f\r ]*(?:;|$)/i.test(type ?? '');
    },
    ontext(part) {
      text += part;
      head.addText(part);
    },
    onclosetag(name, isImplied) {
      depth -= 1;
      head.close(name, isImplied);
      // Titles of images within the page come later.
      if (name === 'title' && !hasTitle) {
        page.title = text.slice(0, MAX_TITLE_LENGTH);
        hasTitle = true;
      }
      if (name === 'script' && isJsonLd) page.jsonLd.push(text);
    },
  });
  parser.end(html);
  return page;
}

/** Follows whether a parser is in the head of a page, and not within elements that browsers do not show. */
function trackHead() {
  let isInHead = true;
  let inert = 0;
  let textElement: string | undefined;
  return {
    isOpen: () => isInHead && inert === 0,
    open(name: string) {
      if (INERT_ELEMENTS.has(name)) inert += 1;
      else if (inert === 0) isInHead &&= HEAD_ELEMENTS.has(name);
      textElement = TEXT_ELEMENTS.has(name) ? name : undefined;
    },
    addText(text: string) {
      if (inert === 0 && textElement === undefined && /[^\t\n\f\r ]/.test(text)) isInHead = false;
    },
    close(name: string, isImplied: boolean) {
      if (INERT_ELEMENTS.has(name)) inert -= 1;
      else if (inert === 0 && !isImplied && (name === 'head' || name === 'html')) isInHead = false;
      textElement = undefined;
    },
  };
}
