import { Parser } from 'htmlparser2';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** A Markdown document as it is read. */
export type MarkdownDocument = {
  /** The names of its elements, in HTML. */
  elements: Set<string>;
  /** The addresses of its links and images. */
  urls: string[];
  /** The texts of its headings, paragraphs and list items; line breaks are kept. */
  texts: string[];
};

const BLOCKS = new Set(['h1', 'h2', 'h3', 'p', 'li']);

/** Reads Markdown of GitHub's flavour, with HTML. */
export function readMarkdown(markdown: string): MarkdownDocument {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const document: MarkdownDocument = { elements: new Set(), urls: [], texts: [] };
  let text = '';
  const parser = new Parser(
    {
      onopentag(name, { href, src }) {
        document.elements.add(name);
        document.urls.push(...[href, src].filter((url) => url !== undefined));
        if (BLOCKS.has(name)) text = '';
      },
      ontext: (more) => (text += more),
      onclosetag(name) {
        if (name === 'br') return;
        if (BLOCKS.has(name) && text.trim() !== '') document.texts.push(text.trim());
        if (BLOCKS.has(name)) text = '';
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return document;
}
