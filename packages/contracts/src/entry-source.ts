import type { EntrySource } from './entry-facts.ts';

/**
 * Says that an entry was imported, or that another source has it, too.
 * @example describeSource(source, true) // 'Imported from MCP Registry, not claimed'
 */
export function describeSource({ attribution, deprecated }: EntrySource, isOrigin: boolean): string {
  if (!isOrigin) return `Also listed by ${attribution}`;
  const state = deprecated === undefined ? '' : `, deprecated there${deprecated && `: ${deprecated}`}`;
  return `Imported from ${attribution}, not claimed${state}`;
}

/** Describes the sources of an entry, the origin first, each with its licence and day. */
export function describeSources(sources: readonly EntrySource[]): string[] {
  return sources.map((source, index) => `${describeSource(source, index === 0)} (${source.licence}, ${source.day})`);
}
