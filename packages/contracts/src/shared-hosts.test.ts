import { expect, test } from 'vitest';
import { isSharedHost, nameWebsite } from './shared-hosts.ts';

test.each([
  ['https://www.example.com/agents', 'example.com', false],
  ['https://api.example.com:8443/', 'api.example.com:8443', false],
  ['https://github.com/coinpaprika/mcp', 'github.com/coinpaprika', false],
  ['https://someone.github.io/mcp', 'someone.github.io', false],
  ['https://huggingface.co/spaces/nvidia/demo', 'huggingface.co/nvidia', false],
  ['https://github.com/', 'github.com', true],
  ['https://www.lobehub.com/agent/augur', 'lobehub.com', true],
])('%s is called %s', (address, name, isGallery) => {
  expect(nameWebsite(address)).toEqual({ name, isGallery });
});

test('a text that is no address has no name', () => {
  expect(nameWebsite('example')).toBeUndefined();
});

test('the hosts of a shared host are shared, also with a dot at the end', () => {
  expect(['GitHub.com.', 'gist.github.com', 'notgithub.com'].map(isSharedHost)).toEqual([true, true, false]);
});
