import { textAt, textsAt, valuesAt, type CardFacts, type Json } from '@agent-registry/contracts';
import { z } from 'zod';
import { toLine } from './read-offer.ts';

/** Most protocol bindings and skills that are kept, and deviations that are named. */
const [MAX_BINDINGS, MAX_SKILLS, MAX_DEVIATIONS] = [10, 50, 20] as const;
/** The longest binding, and name of a skill, in characters. */
const [MAX_BINDING, MAX_NAME] = [60, 100] as const;

const text = z.string('must be a text').min(1, 'must be a text');
const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');
const texts = z.custom(isTexts, 'must be a list of texts');
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape, 'must be an object');
const list = <Entry extends z.ZodType>(entry: Entry) => z.array(entry, 'must be a list');

const common = {
  name: text,
  description: text,
  version: text,
  capabilities: object({}),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: list(object({ id: text, name: text, description: text, tags: texts })),
};
const former = { ...common, url: text, additionalInterfaces: list(object({ url: text, transport: text })).optional() };
const interfaces = list(object({ url: text, protocolBinding: text, protocolVersion: text }));
/** The required members by version of A2A. */
const versions = {
  '0.2': object(former),
  '0.3': object({ ...former, protocolVersion: text }),
  '1.0': object({ ...common, supportedInterfaces: interfaces.min(1, 'must have an entry') }),
};

/** Reads what an agent card says, and where it deviates from its version of A2A. */
export function readCard(card: Json): CardFacts {
  const version = toLine(card.version, MAX_BINDING);
  const deviations = findDeviations(card);
  return {
    bindings: take(listBindings(card), MAX_BINDING, MAX_BINDINGS),
    skills: take(textsAt(card, 'skills.name'), MAX_NAME, MAX_SKILLS),
    ...(version !== undefined && { version }),
    ...(deviations.length > 0 && { deviations }),
  };
}

function take(texts: readonly string[], max: number, most: number): string[] {
  const lines = texts.slice(0, 10 * most).map((text) => toLine(text, max));
  return [...new Set(lines.filter((line) => line !== undefined))].slice(0, most);
}

/** The protocol bindings of a card, each with its version. */
function listBindings(card: Json): string[] {
  const own = valuesAt(card, 'supportedInterfaces').map((one) => textsAt(one, 'protocolBinding', 'protocolVersion'));
  if (own.length > 0) return own.map((parts) => parts.join(' '));
  const names = [textAt(card, 'preferredTransport') ?? 'JSONRPC', ...textsAt(card, 'additionalInterfaces.transport')];
  return names.map((name) => `${name} ${textAt(card, 'protocolVersion') ?? '0.2'}`);
}

function findDeviations(card: Json): string[] {
  const named = textAt(card, 'protocolVersion') ?? '';
  const version =
    'supportedInterfaces' in card || /^[1-9]/.test(named) ? '1.0' : named.startsWith('0.3') ? '0.3' : '0.2';
  // The first entries of a list are enough.
  const cut = Object.entries(card).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, 2 * MAX_SKILLS) : value,
  ]);
  const { error } = versions[version].safeParse(Object.fromEntries(cut));
  const issues = error?.issues.slice(0, MAX_DEVIATIONS) ?? [];
  return issues.map(({ path, message }) => `A2A ${version}: ${z.core.toDotPath(path)} ${message}`);
}
