import { expect, test } from 'vitest';
import { isSharedHost, nameWebsite } from './shared-hosts.ts';

test.each([
  ['https://www.example.com/agents', 'example.com', false, 'example.com'],
  ['https://api.example.com:8443/', 'api.example.com:8443', false, 'api.example.com:8443'],
  ['https://github.com/coinpaprika/mcp', 'github.com/coinpaprika', false, 'github.com/coinpaprika/mcp'],
  ['https://github.com/coinpaprika', 'github.com/coinpaprika', false, undefined],
  ['https://gist.github.com/coinpaprika/1', 'github.com/coinpaprika', false, 'github.com/coinpaprika'],
  ['https://someone.github.io/mcp', 'someone.github.io', false, 'someone.github.io'],
  ['https://huggingface.co/spaces/nvidia/demo', 'huggingface.co/nvidia', false, 'huggingface.co/spaces/nvidia/demo'],
  ['https://github.com/', 'github.com', true, undefined],
  ['https://www.lobehub.com/agent/augur', 'lobehub.com', true, undefined],
])('%s is called %s', (address, name, isGallery, provable) => {
  expect(nameWebsite(address)).toEqual({ name, isGallery, provable });
});

test('a text that is no address has no name', () => {
  expect(['example', null].map((website) => nameWebsite(website))).toEqual([undefined, undefined]);
});

test('hosts of the operator are galleries', () => {
  const named = { name: 'gallery.example', isGallery: true, provable: undefined };
  expect(nameWebsite('https://www.gallery.example/otters/agent', ['gallery.example'])).toEqual(named);
});

test('the hosts of a shared host are shared, also with a dot at the end', () => {
  expect(['GitHub.com.', 'gist.github.com', 'notgithub.com'].map((host) => isSharedHost(host))).toEqual([
    true,
    true,
    false,
  ]);
});
