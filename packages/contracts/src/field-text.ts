import { listConnections, writeConnections } from './connections/connection-text.ts';
import type { Connection } from './connections/connection.ts';
import { rowOf } from './fields.ts';

/** The entries of a list as people read them: texts, or the lines of connections. */
export function toEntries(field: string, list: readonly unknown[] = []): readonly string[] {
  return rowOf(field)?.kind === 'connections' ? listConnections(list as readonly Connection[]) : list.map(String);
}

/** Writes a list as people write it, in one text. */
export function writeList(field: string, list: readonly unknown[] = []): string {
  const row = rowOf(field);
  if (row?.kind === 'connections') return writeConnections(list as readonly Connection[]);
  return toEntries(field, list).join(row?.kind === 'texts' && row.separator === ',' ? ', ' : '\n');
}

/** Reads a list of texts as people write it, without validating it. Blank entries are dropped. */
export function readList(field: string, text: string): unknown[] {
  const row = rowOf(field);
  return text
    .split(row?.kind === 'texts' ? row.separator : '\n')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
