import { join } from 'node:path';

type Context = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

const source = join(import.meta.dirname, '../src');
const pages = ['HomePage.tsx', 'AgentPage.tsx'].map((file) => join(source, 'pages', file));

/** Names the chunk of the modules that both pages import, so that none of them is a chunk and a request of its own. */
export function nameChunk(id: string, context: Context): string | null {
  return pages.every((page) => collectImports(page, context).has(id)) ? 'pages' : null;
}

/** The modules of the web app that one of them imports statically. */
function collectImports(id: string, context: Context, found = new Set<string>()): Set<string> {
  if (found.has(id) || !id.startsWith(source)) return found;
  found.add(id);
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) collectImports(imported, context, found);
  return found;
}
