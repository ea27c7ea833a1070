import {
  createImportedAgentSchema,
  fieldNames,
  isCategoryId,
  listCategoryIds,
  type Agent,
  type Category,
  toObject,
  type Json,
} from '@agent-registry/contracts';
import { readFields, toHashedId, toCategory, toLenient } from '../sync/to-new-agent.ts';
import { type ActingOptions, CommandError } from './command.ts';
import type { Entry } from './files.ts';

/** Names of columns or fields in a file of somebody else, and the fields of an agent that they stand for. */
export type FieldMap = Readonly<Record<string, string>>;

export type ImportOptions = ActingOptions & {
  allOrNothing?: boolean | undefined;
  contact?: string | undefined;
  /** The category of entries that have none of this registry, as its id or name. */
  category?: string | undefined;
  /** Pairs of a column or field of the file and a field here, such as `Title=name`. */
  map?: readonly string[] | undefined;
  dryRun?: boolean | undefined;
};

export type ReadEntry = { entry: Entry } &
  /** Whether it has no id, so that the id is made from its content. */
  ({ agent: Agent; hasContentId: boolean; reason?: never } | { agent?: never; hasContentId?: never; reason: string });

export function createEntryReader(
  categories: readonly Category[],
  { contact, category, ...options }: ImportOptions,
): (entry: Entry) => ReadEntry {
  const schema = createImportedAgentSchema(categories);
  const map = readMap(options);
  const own = category === undefined ? undefined : toCategory(category, categories);
  if (own !== undefined && !isCategoryId(categories, own)) {
    throw new CommandError(`--category must be one of ${listCategoryIds(categories).join(', ')}.`);
  }
  return (entry) => {
    const { value, fault } = entry;
    if (fault !== undefined) return { entry, reason: fault };
    const given = toLenient(mapFields(toObject(value), map), categories);
    const isKnown = categories.some(({ id }) => id === given.category);
    const { data, fault: reason } = readFields(schema, {
      ...given,
      ...(contact !== undefined && (given.contactEmail ?? '') === '' && { contactEmail: contact }),
      ...(own !== undefined && !isKnown && { category: own }),
    });
    if (!data) return { entry, reason };
    const { id = toContentId(data), createdAt = new Date().toISOString(), ...rest } = data;
    return { entry, agent: { id, ...rest, createdAt }, hasContentId: data.id === undefined };
  };
}

export function readMap({ map }: Pick<ImportOptions, 'map'>): FieldMap | undefined {
  if (!map) return undefined;
  const pairs = map.map((text) => [text.slice(0, text.lastIndexOf('=')), text.slice(text.lastIndexOf('=') + 1)]);
  const wrong = pairs.findIndex(([column, field]) => !column || !fieldNames.some((known) => known === field));
  if (wrong !== -1) {
    throw new CommandError(`--map must be column=field, where field is one of ${fieldNames.join(', ')}.`);
  }
  return Object.fromEntries(pairs) as FieldMap;
}

/** Takes the mapped fields under their names here, and the others that an agent has. */
function mapFields(fields: Json, map: FieldMap | undefined): Json {
  if (!map) return fields;
  const own = Object.entries(fields).filter(
    ([name]) => fieldNames.some((field) => field === name) && !Object.hasOwn(map, name),
  );
  const mapped = Object.entries(map).flatMap(([theirs, ours]) =>
    Object.hasOwn(fields, theirs) ? [[ours, fields[theirs]]] : [],
  );
  return Object.fromEntries([...own, ...mapped]) as Json;
}

function toContentId(agent: object): string {
  // Without nulls, so that the id stays the same when a version adds an optional field.
  return toHashedId(JSON.stringify(agent, (_field, value: unknown) => value ?? undefined));
}
