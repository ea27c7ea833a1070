import { getCategory, type Category } from './category.ts';
import type { FieldChange, HistoryEntry } from './changes.ts';
import { describeToolsChange } from './connections/describe-offer.ts';
import { describeConnection, type Connection } from './connections/connection.ts';
import { labelOfField, labelOfValue } from './fields.ts';
import type { EntrySource, NamedEntry } from './entry-facts.ts';

export const changeLabels: Record<HistoryEntry['change'], string> = {
  listed: 'Listed',
  updated: 'Changed',
  removed: 'Taken off the list',
  tools: 'Tools changed',
};

const actors: Record<HistoryEntry['actor'], string> = {
  owner: ' by its owner',
  website: ' by its owner, by way of its website',
  operator: ' by the operator',
  import: ' by an import',
  anyone: '',
  check: '',
};

/** A sentence such as 'Changed by its owner: pricing Free → Paid, description'. */
export function describeChange(
  { change, actor, fields, tools }: HistoryEntry,
  categories: readonly Category[],
): string {
  const changed = tools
    ? describeToolsChange(tools)
    : fields.map((field) => describeFieldChange(field, categories)).join(', ');
  return changeLabels[change] + actors[actor] + (changed === '' ? '' : `: ${changed}`);
}

/** The value of a field as everybody reads it in a history: of connections their kinds and addresses. */
export function toHistoryValue(value: unknown): string | null {
  if (Array.isArray(value)) return (value as Connection[]).map(describeConnection).join(', ') || null;
  return (value as string | null | undefined) ?? null;
}

export function describeFieldChange({ field, from, to }: FieldChange, categories: readonly Category[]): string {
  // The label of an abbreviation keeps its capitals.
  const name = labelOfField(field).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  if (from === undefined || to === undefined) return name;
  const describeValue = (value: string | null) => {
    if (value === null) return 'none';
    return field === 'category' ? getCategory(categories, value).name : labelOfValue(field, value);
  };
  return `${name} ${describeValue(from)} → ${describeValue(to)}`;
}

/**
 * Says that an entry was imported, or that another source has it, too.
 * @example describeSource(source, true) // 'Imported from MCP Registry, not claimed'
 */
export function describeSource({ attribution, deprecated }: EntrySource, isOrigin: boolean): string {
  if (!isOrigin) return `Also listed by ${attribution}`;
  const state = deprecated === undefined ? '' : `, deprecated there${deprecated && `: ${deprecated}`}`;
  return `Imported from ${attribution}, not claimed${state}`;
}

/** What an entry has in common with another one, whose name follows. */
export function describeShared({ shares }: Pick<NamedEntry, 'shares'>): string {
  return shares === 'connection' ? 'A connection of it is also listed by' : 'Also has this website:';
}

/** Describes the sources of an entry, the origin first, each with its licence and day. */
export function describeSources(sources: readonly EntrySource[]): string[] {
  return sources.map((source, index) => `${describeSource(source, index === 0)} (${source.licence}, ${source.day})`);
}
