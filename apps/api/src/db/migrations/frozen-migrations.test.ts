import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The files that migrations consist of, with their hashes. A new migration adds a row; no row ever changes. */
const frozen = {
  '0001-first-release.ts': 'dd71dcace722c8e4',
  '0002-change-log.ts': '113969b291369417',
  '0003-example-tasks.ts': 'da882b916453de4d',
  '0004-suggestions.ts': '256029606c8de591',
  '0005-review.ts': 'b3599358c725ae37',
  '0006-list-filters.ts': '8b2b0ec84cf3ade9',
  '0008-website-proofs.ts': '49ebf02c5837fd12',
  '0009-views-and-hosts.ts': 'fc56f37d0d3a7204',
  '0010-operator-actions.ts': '1795026c3cb16533',
  '0011-operator-events.ts': 'c47fafdf7c7f85dd',
  '0012-sources.ts': '075e3f95a68f2f18',
  '0013-daily-figures.ts': '3bc340ef1d1e0bc1',
  '0014-frequent-capabilities.ts': '5c4c844afab0a6ce',
  '0015-clock-and-texts.ts': '823112745d9f53e0',
  '0017-connections.ts': '9d6b5af4882330e1',
  '0018-server-documents.ts': 'a8a22c429a41780b',
  '0019-fewer-index-writes.ts': '58c65fadfe33e9ea',
  '0020-connection-checks.ts': 'f9c6e868d10c3203',
  '0021-server-name.ts': 'f1ca8bfcee3fe758',
  '0022-inner-starts.ts': '8c90da183a2f3433',
  '0023-refused-events.ts': '2b9bc8cfb0675295',
  '0024-dated-listings.ts': 'b90507eb96ec5869',
  '0025-removals.ts': '2ad79fb0feff3b07',
  '0026-changes-in-order.ts': 'c02c25c3bdae76d7',
  'column-types.ts': '569564d69ab94d32',
};

test('no migration has changed since databases ran it', () => {
  const names = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  const hashes = names.toSorted().map((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8').replaceAll('\r\n', '\n');
    return [name, createHash('sha256').update(text).digest('hex').slice(0, 16)];
  });
  expect(Object.fromEntries(hashes)).toEqual(frozen);
});
