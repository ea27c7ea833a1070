import { hash } from 'node:crypto';
import {
  fitText,
  MAX_KEPT_TOOLS,
  textAt,
  toCanonicalJson,
  toObject,
  type Json,
  type Offer,
  type Tool,
} from '@agent-registry/contracts';

/** Most requests for lists, of 256 KiB each; with others and robots.txt a check has at most eight. */
const MAX_LISTS = 4;
/** The most tools that are hashed. */
const MAX_TOOLS = 1_000;
/** The longest name, title and description of a tool, in characters. */
const MAX_LENGTHS = { name: 128, title: 100, description: 200 };
const DEFINITION = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];

/** The answer to a request for a list: its result, and whether it was longer than is read. */
export type List = { result: Json; isCut: boolean };
type Ask = (method: string, params: object) => Promise<List>;

/**
 * Reads what a server offers. No tool is called.
 * @param about what the server says of itself
 * @returns undefined if it does not tell its tools
 */
export async function readOffer(ask: Ask, about: Json): Promise<Offer | undefined> {
  const { tools, isMore, lists } = await readTools(ask);
  if (tools.length === 0 && !isMore && lists === 0) return undefined;
  const offer = describeTools(tools, isMore);
  let left = MAX_LISTS - lists;
  for (const name of ['prompts', 'resources'] as const) {
    if (left === 0 || !toObject(about.capabilities)[name]) continue;
    left -= 1;
    const { result } = await ask(`${name}/list`, {});
    const listed = result[name];
    if (Array.isArray(listed) && result.nextCursor === undefined) offer[name] = listed.length;
  }
  const [server, protocol] = [toObject(about.serverInfo), toLine(about.protocolVersion, MAX_LENGTHS.name)];
  const [name, version] = [server.title ?? server.name, server.version].map((text) => toLine(text, MAX_LENGTHS.title));
  return {
    ...offer,
    ...(name !== undefined && { server: { name, version: version ?? '' } }),
    ...(protocol !== undefined && { protocol }),
  };
}

/** Reads the pages of the list of tools; `lists` is the number of those that could be read. */
async function readTools(ask: Ask): Promise<{ tools: Json[]; isMore: boolean; lists: number }> {
  const tools: Json[] = [];
  let cursor: string | undefined;
  for (let lists = 0; lists < MAX_LISTS;) {
    const { result, isCut } = await ask('tools/list', cursor === undefined ? {} : { cursor });
    if (!Array.isArray(result.tools)) return { tools, isMore: isCut || lists > 0, lists };
    lists += 1;
    for (const tool of result.tools.slice(0, MAX_TOOLS + 1)) tools.push(toObject(tool));
    cursor = textAt(result, 'nextCursor');
    const isMore = tools.length > MAX_TOOLS;
    if (isMore || cursor === undefined) return { tools: tools.slice(0, MAX_TOOLS), isMore, lists };
  }
  return { tools, isMore: true, lists: MAX_LISTS };
}

function describeTools(found: readonly Json[], isMore: boolean): Offer {
  const tools = found.map(describeTool);
  const sorted = tools.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).slice(0, MAX_KEPT_TOOLS);
  const areHashed = tools.every((tool) => tool.hash !== '') && !isMore;
  const hashes = tools.map((tool) => tool.hash).toSorted();
  return {
    count: tools.length,
    tools: sorted,
    ...(isMore && { isMore }),
    ...(areHashed && { hash: hash('sha256', toCanonicalJson(hashes)) }),
  };
}

const keyOf = ({ name, hash: own }: Tool) => `${name}\0${own}`;

function describeTool(tool: Json): Tool {
  const { name, title, description } = tool;
  const { title: label, readOnlyHint, destructiveHint } = toObject(tool.annotations);
  const texts = {
    title: toLine(title ?? label, MAX_LENGTHS.title),
    description: toLine(description, MAX_LENGTHS.description),
  };
  return {
    name: toLine(name, MAX_LENGTHS.name) ?? '?',
    ...(texts.title !== undefined && { title: texts.title }),
    ...(texts.description !== undefined && { description: texts.description }),
    ...(typeof readOnlyHint === 'boolean' && { isReadOnly: readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { isDestructive: destructiveHint }),
    hash: hashDefinition(tool),
  };
}

/** The SHA-256 of the definition of a tool; empty for one that is nested deeper than the stack. */
function hashDefinition(tool: Json): string {
  try {
    return hash('sha256', toCanonicalJson(Object.fromEntries(DEFINITION.map((name) => [name, tool[name]]))));
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** A text of a stranger as one line, cut; undefined for none that can be shown. */
export function toLine(value: unknown, max: number): string | undefined {
  return typeof value === 'string' ? fitText(value, { max, isLine: true }) : undefined;
}
