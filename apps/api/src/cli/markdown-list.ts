import { cutText, MAX_CAPABILITY_LENGTH, type Json } from '@agent-registry/contracts';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

type Node = { type: string; depth?: number; url?: string; identifier?: string; children?: Node[] };

/**
 * Reads the agents of an awesome-list in Markdown: a list item that begins with a link is one, the text behind it describes
 * it, and the headings above are its capabilities; the lowest one may name its category.
 */
export function readMarkdownList(text: string): Json[] {
  const agents: Json[] = [];
  const { children = [] } = fromMarkdown(text) as Node;
  const definitions = new Map(
    children.flatMap(({ identifier, url }) => (identifier && url ? [[identifier, url]] : [])),
  );
  const headings: string[] = [];
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (node.type === 'heading' && node.depth) {
        headings.length = Math.min(headings.length, node.depth - 1);
        headings[node.depth - 1] = toLine(node);
      } else if (node.type === 'listItem') agents.push(...readItem(node, headings, definitions));
      if (node.type === 'list' || node.type === 'listItem') walk(node.children ?? []);
    }
  };
  walk(children);
  return agents;
}

function readItem(item: Node, headings: readonly string[], definitions: ReadonlyMap<string, string>): Json[] {
  const [paragraph] = item.children ?? [];
  const inner = paragraph?.type === 'paragraph' ? (paragraph.children ?? []) : [];
  const at = inner.findIndex(({ type }) => type !== 'image' && type !== 'html');
  const link = toLink(inner[at]);
  const website = link && (link.url ?? definitions.get(link.identifier ?? ''));
  // Links within the document are its table of contents.
  if (!link || !/^https?:\/\//i.test(website ?? '')) return [];
  const rest = inner.slice(at + 1).filter(({ type }) => type !== 'image' && type !== 'html');
  // Without the title of the list.
  const capabilities = headings.slice(1).filter((text) => text !== '' && cutText(text, MAX_CAPABILITY_LENGTH) === text);
  return [
    {
      name: toLine(link),
      website,
      description: toLine(...rest).replace(/^[\s\-–—:|.]+/u, ''),
      capabilities,
      category: capabilities.at(-1),
    },
  ];
}

/** The link of a node, also in bold. */
function toLink(node: Node | undefined): Node | undefined {
  if (node?.type === 'link' || node?.type === 'linkReference') return node;
  const isMarked = node?.type === 'strong' || node?.type === 'emphasis';
  return isMarked ? toLink(node.children?.[0]) : undefined;
}

function toLine(...nodes: readonly Node[]): string {
  const text = nodes.map((node) => toString(node)).join('');
  return text.replaceAll(/\s+/g, ' ').trim();
}
