import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

// Built, this is in one of the files of the server's folder; from source, in a folder in it.
const SERVER_DIR = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '.');

/**
 * Names a build of the software by its bytes, and the settings that its answers depend on: the same in all processes that
 * answer alike.
 * @param webDir the folder of the built web app, if there is one
 * @param serverDir the folder of the server, its own by default
 */
export function identifyBuild(
  webDir: string | undefined,
  settings: readonly unknown[],
  serverDir: string = SERVER_DIR,
): string {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  const update = (folder: string, names: RegExp) => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && names.test(entry.name))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(folder, file)));
  };
  update(serverDir, /\.[jt]s$/);
  if (webDir) update(webDir, /./);
  return hash.digest('base64url').slice(0, 8);
}
