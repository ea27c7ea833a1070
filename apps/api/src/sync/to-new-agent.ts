import {
  createRegistrationSchema,
  describedFields,
  isCategoryId,
  takeConnections,
  type Category,
  type NewAgent,
} from '@agent-registry/contracts';
import type { Json } from '../prefill/json-paths.ts';
import { toLenient } from './lenient-fields.ts';
import { ANY_CATEGORY, type Source } from './read-sources.ts';

/** An entry as an agent, or why it cannot be one. */
export type ReadAgent = { agent: NewAgent; fault?: never } | { agent?: never; fault: string };

/** Creates the function that reads an entry of a source, validated like a registration. */
export function createAgentReader(source: Source, categories: readonly Category[]): (fields: Json) => ReadAgent {
  const schema = createRegistrationSchema(categories);
  return (given) => {
    const fields = toLenient(given, categories);
    const described = describedFields.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]]));
    const { data, error } = schema.safeParse({
      ...(Object.fromEntries(described) as Json),
      // One that cannot be kept is left out, and not the entry.
      connections: Array.isArray(fields.connections) ? takeConnections(fields.connections) : [],
      category: toCategory(source, given.category, fields.category, categories),
      contactEmail: source.contact,
    });
    if (data) return { agent: data };
    return { fault: [...new Set(error.issues.map(({ message }) => message))].join('; ') };
  };
}

/** The category that one of the source stands for: as the map says, else the same one, else that of `*`. */
function toCategory(
  { categories: map }: Source,
  theirs: unknown,
  ours: unknown,
  categories: readonly Category[],
): unknown {
  if (typeof theirs === 'string' && Object.hasOwn(map, theirs)) return map[theirs];
  if (typeof ours === 'string' && isCategoryId(categories, ours)) return ours;
  return map[ANY_CATEGORY] ?? theirs;
}
