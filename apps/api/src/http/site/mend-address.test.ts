import { parseCompared, parseShared, toAgentPath, toComparePath, toSharedPath } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { send, startTestApp } from '../../testing/test-app.ts';
import { mendAddress } from './mend-address.ts';

const [otter, heron] = [makeAgent({ name: 'Otter' }), makeAgent({ name: 'Heron' })];
const ids = [otter.id, heron.id];

/** Addresses of pages, as the registry writes them. */
const addresses = [
  toAgentPath(otter.id),
  toComparePath(ids),
  toSharedPath(ids),
  toSharedPath([otter.id]),
  '/?category=vision',
];

const wrap = (before: string, after: string) => (url: string) => url.replace(/(?<=\/agent\/|=)/, before) + after;
const readPage = (url: string) => {
  const params = new URLSearchParams(url.slice(2));
  return [parseCompared(params), parseShared(params), url.startsWith('/agent') && url.toLowerCase()];
};
const escapeAll = (url: string) => `/${encodeURIComponent(url.slice(1))}`;

/** What is done to an address on its way. */
const changes: [name: string, change: (url: string) => string][] = [
  ...[
    '.',
    ',',
    ')',
    '!',
    '?!',
    '>',
    '&gt;',
    '"',
    '%22',
    '”',
    '%E2%80%9D',
    '*',
    '**',
    '_',
    ']',
    '%5D',
    ');',
    '…',
    '%20',
    '%0A',
    "'",
  ]
    .filter((sign) => !sign.startsWith('?') && !sign.startsWith('&'))
    .map((sign): [string, (url: string) => string] => [`${sign} behind it`, (url) => url + sign]),
  ['brackets around its end', wrap('%3C', '%3E')],
  ['quotation marks around its end', wrap('%22', '%22')],
  ['escapes', escapeAll],
  ['doubled escapes', (url) => escapeAll(escapeAll(url))],
  ['commas escaped', (url) => url.replaceAll(',', '%252C')],
  ['capitals of its ids', (url) => url.replaceAll(/[\da-f-]{36}/g, (id) => id.toUpperCase())],
];

describe.each(changes)('an address with %s', (_name, change) => {
  test.each(addresses)('leads to %s', async (address) => {
    const changed = change(address);
    const mended = mendAddress(changed);
    // What is not mended is read as it is.
    if (mended === undefined) expect(readPage(changed)).toEqual(readPage(address));
    else expect(decodeURIComponent(mended)).toBe(decodeURIComponent(address));
  });
});

test.each([
  ...addresses,
  '/',
  '/?q=who+are+you%3F',
  '/?q=50%25.',
  '/?category=robots',
  '/?compare=none',
  `/?compare=${otter.id},none`,
  '/?keep=',
  '/agent/1',
  `/agent/${otter.id}/`,
  `/agent/${otter.id}?manage=edit`,
  `/agent/${otter.id}${otter.id}`,
  '/%',
  '/nowhere.',
  `/${'%25'.repeat(2_000)}`,
])('the address %s stays', (address) => {
  expect(mendAddress(address)).toBeUndefined();
});

test('an address that is mended leads to the page, as HTML and as Markdown', async () => {
  const app = await startTestApp({ withSite: true });
  onTestFinished(() => app.close());
  await app.agents.load([otter, heron]);
  for (const accept of ['text/html', 'text/markdown']) {
    for (const [, change] of changes) {
      for (const address of addresses) {
        const path = change(address);
        const { status, headers } = await send(app.url + path, { headers: { accept } });
        if (status === 200) continue;
        expect([path, status, headers['cache-control']]).toEqual([path, 308, 'no-store']);
        const { status: found } = await send(app.url + headers.location, { headers: { accept } });
        expect([headers.location, found]).toEqual([headers.location, 200]);
      }
    }
  }
});
