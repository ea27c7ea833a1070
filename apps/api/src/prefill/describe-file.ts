import type { WebsiteFile } from '../website-files/parse-html.ts';
import { toObject, type Description, type Json } from './description.ts';
import { readAgentCard } from './read-agent-card.ts';
import { readArd } from './read-ard.ts';
import { readHtml } from './read-html.ts';
import { readMcp } from './read-mcp.ts';
import { toValues, type ValidDescription } from './to-values.ts';

/** Reads the descriptions of an agent from a page or a file in one of the formats. */
export function describeFile(file: WebsiteFile): ValidDescription[] {
  return readFormats(file).map(toValues);
}

function readFormats({ text, type, url }: WebsiteFile): Description[] {
  if (type === 'text/html' || type === 'application/xhtml+xml') return readHtml(text);
  const value = parseJson(text);
  const source = fileOf(new URL(url));
  const description = readAgentCard(value, source) ?? readArd(value, source) ?? readMcp(value, source);
  return description ? [description] : [];
}

/** The name of the file at an address, such as `agent-card.json`. */
function fileOf({ pathname, hostname }: URL): string {
  return pathname.split('/').at(-1) || hostname;
}

function parseJson(text: string): Json {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return {};
  }
}
