// What files of others say of an agent, in the fields of the registry and within their bounds.
import { cutText, fold, toMaxUnits } from './characters.ts';
import { findAddressFault } from './connections/connection-faults.ts';
import { readServerJson } from './connections/read-server-json.ts';
import type { LeftPart } from './connections/server-parts.ts';
import { textAt, textsAt, valuesAt, type Json } from './json-paths.ts';
import { findTextFault, replaceHidden, type TextBounds } from './plain-text.ts';
import { textBounds } from './text-bounds.ts';
import { isLoopback, isWebAddress } from './website.ts';

/** The fields of an agent, of which those that are read from texts fit, and what was cut or left out. */
export type DescribedAgent = { fields: Json; left: LeftPart[] };

export function describeServer(server: Json): DescribedAgent {
  const { connections, left } = readServerJson(server);
  const repository = textAt(server, 'repository.url');
  const given =
    server.websiteUrl ??
    server.website_url ??
    (repository !== undefined && isWebAddress(repository) ? repository : undefined);
  // One that only its maker reaches is none.
  const website = typeof given === 'string' && isWebAddress(given) && isPrivate(given) ? undefined : given;
  const { title = textAt(server, 'name')?.split('/').at(-1), description } = server;
  const apiAccess = valuesAt(server, 'remotes').length > 0 ? 'yes' : undefined;
  return fitFields({ name: title, description, website, apiAccess, connections }, left);
}

/** Whether a web address is one of a machine or network of its own. */
function isPrivate(address: string): boolean {
  const { hostname } = new URL(address);
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return isLoopback(address) || (!isAddress && findAddressFault(`https://${hostname}/`) !== undefined);
}

/** Where the addresses of an agent are in its card: of version 1.0, of 0.3 and before. */
const INTERFACES = ['supportedInterfaces.url', 'url', 'additionalInterfaces.url', 'interfaces.url'];

/** The agent that an A2A agent card of any version describes. gRPC has a host and a port in place of an address. */
export function describeCard(card: Json): DescribedAgent {
  const addresses = [...textsAt(card, ...INTERFACES), ...textsAt(card, 'documentationUrl', 'provider.url')];
  const origins = addresses.map((each) => URL.parse(/^https?:\/\//i.test(each) ? each : `https://${each}`)?.hostname);
  const host = origins.find((each) => each !== undefined && findAddressFault(`https://${each}/`) === undefined);
  const file = /^0\.[12]\b/.test(textAt(card, 'protocolVersion') ?? '') ? 'agent.json' : 'agent-card.json';
  const connections = host && [{ kind: 'a2a', card: `https://${host}/.well-known/${file}` }];
  const fields = {
    name: card.name,
    description: card.description,
    capabilities: textsAt(card, 'skills.name'),
    exampleTasks: textsAt(card, 'skills.examples'),
    website: host && `https://${host}/`,
    apiAccess: 'yes',
    connections,
  };
  return fitFields(fields, []);
}

export function isAgentCard(card: Json): boolean {
  const isCard =
    Array.isArray(card.skills) || valuesAt(card, 'supportedInterfaces').length > 0 || 'protocolVersion' in card;
  return isCard && textAt(card, 'name') !== undefined;
}

/** Cuts texts to their bounds. A text that cannot be fitted stays, so that a refusal names its fault. */
function fitFields(given: Json, left: LeftPart[]): DescribedAgent {
  const fields: Record<string, unknown> = { ...given };
  for (const name of ['name', 'description'] as const) {
    const [text, bounds] = [given[name], textBounds[name]];
    if (typeof text !== 'string') continue;
    fields[name] = fitText(text, bounds) ?? text;
    if (cutText(text.trim(), bounds.max) !== text.trim())
      left.push({ path: [name], why: `it is cut at ${bounds.max} characters`, isCut: true });
  }
  for (const name of ['capabilities', 'exampleTasks'] as const) {
    const texts = textsAt(given, name);
    const { most, bounds } = textBounds[name];
    fields[name] = fitTexts(texts, textBounds[name]);
    if ((fitTexts(texts, textBounds[name])?.length ?? 0) < new Set(texts).size)
      left.push({ path: [name], why: `only ${most} of up to ${bounds.max} characters are taken` });
  }
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { fields: Object.fromEntries(entries) as Json, left };
}

/** A text as it may be registered, cut at its bound; undefined if it may not. U+FFFD is left of another charset. */
export function fitText(text: string | undefined, bounds: TextBounds): string | undefined {
  if (text === undefined || text.includes('\u{FFFD}')) return undefined;
  // Cut before it is matched; blanks and hidden characters that are removed later count four times.
  const start = text.trimStart().slice(0, 4 * toMaxUnits(bounds.max));
  const visible = bounds.isLine
    ? replaceHidden(start.replaceAll(/\s+/g, ' '), () => '')
    : start.replaceAll(/\r\n?/g, '\n');
  const cut = cutText(visible.trim(), bounds.max).trim();
  return cut === '' || findTextFault(cut, bounds) !== undefined ? undefined : cut;
}

/** The texts of a list that may be registered, each once; those that are too long are left out. */
export function fitTexts(
  texts: readonly string[],
  { bounds, most }: { bounds: TextBounds; most: number },
): string[] | undefined {
  const byFolded = new Map<string, string>();
  for (const text of texts.slice(0, 10 * most)) {
    const valid = fitText(text, { ...bounds, max: bounds.max + 1 });
    if (valid === undefined || findTextFault(valid, bounds) !== undefined) continue;
    if (!byFolded.has(fold(valid))) byFolded.set(fold(valid), valid);
    if (byFolded.size === most) break;
  }
  return byFolded.size > 0 ? [...byFolded.values()] : undefined;
}
