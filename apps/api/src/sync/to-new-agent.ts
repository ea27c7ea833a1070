import {
  createRegistrationSchema,
  describedFields,
  isCategoryId,
  type Category,
  type NewAgent,
} from '@agent-registry/contracts';
import type { Json } from '../prefill/json-paths.ts';
import { ANY_CATEGORY, type Source } from './read-sources.ts';

/** An entry as an agent, or why it cannot be one. */
export type ReadAgent = { agent: NewAgent; fault?: never } | { agent?: never; fault: string };

/** Creates the function that reads an entry of a source, validated like a registration. */
export function createAgentReader(source: Source, categories: readonly Category[]): (fields: Json) => ReadAgent {
  const schema = createRegistrationSchema(categories);
  return (fields) => {
    const given = describedFields.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]]));
    const { data, error } = schema.safeParse({
      ...(Object.fromEntries(given) as Json),
      category: toCategory(source, fields.category, categories),
      contactEmail: source.contact,
    });
    if (data) return { agent: data };
    return { fault: [...new Set(error.issues.map(({ message }) => message))].join('; ') };
  };
}

/** The category that one of the source stands for: as the map says, else the same one, else that of `*`. */
function toCategory({ categories: map }: Source, theirs: unknown, categories: readonly Category[]): unknown {
  if (typeof theirs === 'string' && Object.hasOwn(map, theirs)) return map[theirs];
  if (typeof theirs === 'string' && isCategoryId(categories, theirs)) return theirs;
  return map[ANY_CATEGORY] ?? theirs;
}
