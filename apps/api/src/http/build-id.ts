import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names a build of the software by its bytes, and the settings that its answers depend on: the same in all processes that
 * answer alike.
 * @param webDir the folder of the built web app, if there is one
 */
export function identifyBuild(webDir: string | undefined, settings: readonly unknown[]): string {
  // Of the built server this file is the whole.
  const hash = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(JSON.stringify(settings));
  for (const file of webDir ? globSync('**/*.*', { cwd: webDir }).toSorted() : []) {
    hash.update(file).update(readFileSync(join(webDir as string, file)));
  }
  return hash.digest('base64url').slice(0, 8);
}
