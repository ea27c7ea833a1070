import { expect, test } from 'vitest';
import { findRepository, describeProof } from './website.ts';

const raw = 'https://raw.githubusercontent.com';

test.each([
  ['https://github.com/Otters/agent', 'github.com/Otters/agent', `${raw}/Otters/agent/HEAD/.agent-registry`],
  ['https://codeberg.org/o/r', 'codeberg.org/o/r', 'https://codeberg.org/api/v1/repos/o/r/raw/.agent-registry'],
  ['https://gitlab.com/o/r', 'gitlab.com/o/r', 'https://gitlab.com/o/r/-/raw/HEAD/.agent-registry'],
  ['https://gitlab.com/o/g/r/', 'gitlab.com/o/g/r', 'https://gitlab.com/o/g/r/-/raw/HEAD/.agent-registry'],
  ['https://gitlab.com/o/r/-/tree/next/a', 'gitlab.com/o/r', 'https://gitlab.com/o/r/-/raw/HEAD/.agent-registry'],
  ['https://huggingface.co/o/r', 'huggingface.co/o/r', 'https://huggingface.co/o/r/raw/main/.agent-registry'],
  ...['spaces', 'datasets'].map((section) => [
    `https://huggingface.co/${section}/o/r/tree/main`,
    `huggingface.co/${section}/o/r`,
    `https://huggingface.co/${section}/o/r/raw/main/.agent-registry`,
  ]),
])('the file of %s is in %s, at %s', (address, name, file) => {
  expect(findRepository(address)).toMatchObject({ name, file });
});

test.each([
  'http://github.com/o/r',
  'HTTPS://GitHub.COM/o/r/',
  'https://www.github.com./o/r.git',
  'https://github.com/o/r/tree/refs/heads/evil',
  'https://github.com/o/r?ref=evil#.git',
  'https://github.com/x/../o/./r/%2e%2e/r',
  'https://raw.githubusercontent.com/o/r/evil/README.md',
  'https://evil.example:x@github.com/o/r',
  'https://github.com\\o\\r',
])('of %s only the owner and the repository count', (address) => {
  expect(findRepository(address)).toEqual({
    service: 'github.com',
    name: 'github.com/o/r',
    file: `${raw}/o/r/HEAD/.agent-registry`,
  });
});

test.each([
  'github.com/o/r',
  'https://github.com',
  'https://github.com/o',
  'https://github.com/o/',
  'https://github.com//r',
  'https://github.com/o//r',
  'https://github.com/o/.git',
  'https://github.com/o/..git',
  'https://github.com/o/...git',
  'https://github.com/o/%2e%2e/%2e%2e',
  'https://github.com/o%2Fr/HEAD',
  'https://github.com/o/r%2F..',
  'https://github.com/o/r%00',
  'https://github.com/o/r%20',
  'https://github.com/o/r:x',
  'https://github.com/o/r@x',
  'https://github.com/ö/r',
  'https://github.com/o/\u212A',
  'https://github.com/o/{}',
  'https://github.com/o/$&',
  'https://github.com:8443/o/r',
  'https://gist.github.com/o/r',
  'https://o.github.io/r',
  'https://github.com.evil.example/o/r',
  'https://github.com@evil.example/o/r',
  'https://gitlab.com/-/snippets/1',
  'https://gitlab.com/o/-/r',
  'https://gitlab.example/o/r',
  'https://huggingface.co/datasets/r',
  'https://huggingface.co/spaces/o',
  'https://example.com/constructor/toString',
  'https://constructor/o/r',
])('%s is no repository of a service', (address) => {
  expect(findRepository(address)).toBeUndefined();
});

test.each([
  ['https://github.com/o/r/tree/next', 'the repository github.com/o/r'],
  ['https://example.com/o/r', 'this page of example.com'],
])('a proof of %s is one of %s', (website, proof) => {
  const websiteCheckedAt = '2026-11-24T14:00:00.000Z';
  expect(describeProof({ website, websiteCheckedAt, websiteProof: 'repository' })).toBe(proof);
});
