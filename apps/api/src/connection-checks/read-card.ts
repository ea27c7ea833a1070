import { textAt, textsAt, toObject, valuesAt, type CardFacts, type Json } from '@agent-registry/contracts';
import { toLine } from './read-offer.ts';

/** Most protocol bindings and skills that are kept, and deviations that are named. */
const [MAX_BINDINGS, MAX_SKILLS, MAX_DEVIATIONS] = [10, 50, 20] as const;
/** The longest binding, and name of a skill, in characters. */
const [MAX_BINDING, MAX_NAME] = [60, 100] as const;

const kinds = {
  text: { like: 'a text', is: (value: unknown) => typeof value === 'string' && value !== '' },
  texts: {
    like: 'a list of texts',
    is: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  },
  list: { like: 'a list', is: Array.isArray },
  filled: { like: 'a list with entries', is: (value: unknown) => Array.isArray(value) && value.length > 0 },
  object: {
    like: 'an object',
    is: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
};
type Rules = Record<string, keyof typeof kinds>;

/** The required members of every version; `[]` stands for each entry of a list. */
const common: Rules = {
  name: 'text',
  description: 'text',
  version: 'text',
  capabilities: 'object',
  defaultInputModes: 'texts',
  defaultOutputModes: 'texts',
  skills: 'list',
  'skills.[].id': 'text',
  'skills.[].name': 'text',
  'skills.[].description': 'text',
  'skills.[].tags': 'texts',
};
const former: Rules = {
  ...common,
  url: 'text',
  'additionalInterfaces.[].url': 'text',
  'additionalInterfaces.[].transport': 'text',
};
/** The required members by version of A2A. */
const versions: Record<'0.2' | '0.3' | '1.0', Rules> = {
  '0.2': former,
  '0.3': { ...former, protocolVersion: 'text' },
  '1.0': {
    ...common,
    supportedInterfaces: 'filled',
    'supportedInterfaces.[].url': 'text',
    'supportedInterfaces.[].protocolBinding': 'text',
    'supportedInterfaces.[].protocolVersion': 'text',
  },
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
  const former = textAt(card, 'protocolVersion') ?? '';
  const version =
    'supportedInterfaces' in card || /^[1-9]/.test(former) ? '1.0' : former.startsWith('0.3') ? '0.3' : '0.2';
  return Object.entries(versions[version])
    .flatMap(([path, kind]) =>
      placesOf(card, path.split('.'))
        .filter(({ value }) => !kinds[kind].is(value))
        .map(({ place, value }) => `${place} ${value === undefined ? 'is missing' : `must be ${kinds[kind].like}`}`),
    )
    .slice(0, MAX_DEVIATIONS)
    .map((deviation) => `A2A ${version}: ${deviation}`);
}

/** The values at a path with their places, such as `skills[0].tags`. */
function placesOf(value: unknown, [name, ...rest]: string[], place = ''): { place: string; value: unknown }[] {
  if (name === undefined) return [{ place, value }];
  if (name !== '[]') return placesOf(toObject(value)[name], rest, place === '' ? name : `${place}.${name}`);
  const entries = Array.isArray(value) ? value.slice(0, 10 * MAX_SKILLS) : [];
  return entries.flatMap((entry, index) => placesOf(entry, rest, `${place}[${index}]`));
}
