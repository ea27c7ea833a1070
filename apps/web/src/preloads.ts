import type { Manifest } from 'vite';
import { matchRoutes } from 'react-router-dom';
import { routes } from './routes.tsx';

// What Vite writes down of the browser's build, which is made before the server's entry; none in development.
const [manifest = {}] = Object.values(
  import.meta.glob<Manifest>('../dist/.vite/manifest.json', { eager: true, import: 'default' }),
);

/** The elements of a page's head by which its own code, besides that of every page, is there in time, after what is painted. */
export function toPreloads(url: URL): string {
  const isAgentPage = matchRoutes(routes, url)?.at(-1)?.route.path === '/agent/:id';
  if (!isAgentPage) return '';
  const everywhere = findFiles('index.html');
  const files = [...findFiles('src/pages/AgentPage.tsx')].filter((file) => !everywhere.has(file));
  return files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" fetchpriority="low">`).join('');
}

/** The file of a module and those that it imports before it runs. */
function findFiles(module: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[module];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) findFiles(imported, found);
  return found;
}
