import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';

/** A browser executable and its arguments. */
export type Browser = { executablePath: string; args: string[] };

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

// No sandbox, so that it also starts as root; no background requests.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// The page of a test lives for seconds, in which optimized code costs more than it saves.
const SHORT_LIVED = ['--js-flags=--no-opt --no-maglev'];

/**
 * Finds the browser for tests: `CHROME_PATH`, else the headless shell of @sparticuz/chromium (Linux x64), which runs the
 * tests in half the time, else an installed browser.
 */
export async function findBrowser(): Promise<Browser> {
  if (process.env.CHROME_PATH || process.platform !== 'linux' || process.arch !== 'x64') return findWholeBrowser();
  return { executablePath: await unpackBrowser(), args: [...ARGUMENTS, ...SHORT_LIVED] };
}

/** Finds a full browser: `CHROME_PATH`, else an installed one, else the package. */
export async function findWholeBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH ?? INSTALLED.find((path) => existsSync(path));
  return { executablePath: executablePath ?? (await unpackBrowser()), args: ARGUMENTS };
}

// The package has shared libraries for bare machines, but unpacks them by itself on AWS Lambda only.
async function unpackBrowser(): Promise<string> {
  const libraries = join(import.meta.dirname, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br');
  await inflate(libraries);
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return chromium.executablePath();
}
