import { expect, test, vi } from 'vitest';
import { createWebsiteCheck } from './check-website.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { RedirectError, type GuardedFetch } from './guarded-fetch.ts';

const readFile = createFileReader();
const FILE = '/.well-known/agent-registry.txt';
const META = '<meta name="agent-registry" content="right">';

/** Checks a website whose paths have these texts; an error is thrown, and a missing path is 404. */
async function check(
  paths: Record<string, string | Error>,
  type = 'text/html',
  website = 'http://website.example:8080/product?a=b',
) {
  const fetch = vi.fn<GuardedFetch>(async ({ pathname, search }) => {
    const text = paths[pathname + search];
    if (text instanceof Error) throw text;
    return text === undefined
      ? { status: 404, type, text: `right\n${META}`, isChallenge: false, headers: {} }
      : { status: 200, type, text, isChallenge: false, headers: {} };
  });
  const result = await createWebsiteCheck({ fetch, readFile, sharedHosts: ['gallery.example'] })({
    website,
    explainedAt: 'https://registry.example/agent/1',
    accepts: (text) => text === 'right',
  });
  return { result, fetch };
}

test('a challenge in the file proves control, and the page is not fetched', async () => {
  for (const text of ['right', 'right\n', '\nwrong\r\n  right \r\n']) {
    const { result, fetch } = await check({ [FILE]: text });
    expect(result).toBe('host');
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls[0]![1].userAgent).toBe('AgentRegistry (+https://registry.example/agent/1)');
  }
});

test.each(['<!doctype html>\n<pre>\nright\n</pre>', '\uFEFF\n <p>\nright', '<?xml version="1.0"?>\nright'])(
  'a page in place of the file is none, and the listed page is asked: %j',
  async (text) => {
    for (const type of ['text/html', 'text/plain'])
      expect((await check({ [FILE]: text }, type)).result).toBe('missing');
    expect((await check({ [FILE]: text, '/product?a=b': META })).result).toBe('page');
  },
);

test.each([
  ['in a head', `<!doctype html><html><head><title>A</title>${META}</head><body></body></html>`],
  ['without a head element', `<!doctype html><title>A</title>${META}<p>`],
  ['in capitals', '<META NAME="agent-registry" CONTENT=" right ">'],
  [
    'unquoted, after others',
    '<meta charset=utf-8><meta name=agent-registry content=wrong><meta name=agent-registry content=right>',
  ],
  ['beyond a noscript element', `<head><noscript><img src=x>text</noscript><template>text<p></template>${META}</head>`],
  ['after a byte order mark', `\uFEFF<!doctype html>\n<html>\n<head>\n${META}`],
  ['beyond a script', `<head><script>"</head><body>"</script>${META}`],
])('a challenge in the listed page proves control: %s', async (_case, html) => {
  expect((await check({ '/product?a=b': html })).result).toBe('page');
});

test.each([
  ['in the body', `<head></head><body>${META}`],
  ['in the body, without tags of a head', `<title>A</title><p>${META}`],
  ['after the head', `<head></head>${META}`],
  ['after text', `<title>A</title>A comment ${META}`],
  ['after a no-break space', `<head>\u00A0${META}</head>`],
  ['after the end of the page', `<html></html>${META}`],
  ['in a noscript element', `<head><noscript>${META}</noscript></head>`],
  ['in a noscript element without an end', `<head><noscript>${META}</head>`],
  ['in a template', `<head><template>${META}</template></head>`],
  ['in a template in a template', `<head><template><template></template>${META}</template></head>`],
  ['in an image', `<head><svg><title>A</title></svg>${META}</head>`],
  ['in a comment', `<!-- ${META} -->`],
  ['in a script', `<script type="application/ld+json">{"comment": "${META.replaceAll('"', '\\"')}"}</script>`],
  ['in a title', `<title>${META}</title>`],
  ['in an attribute', `<meta name="description" content='${META}'>`],
  ['escaped', META.replaceAll('<', '&lt;')],
  ['under another name', '<meta name="agent" content="right">'],
  ['as text', 'right'],
])('a challenge that visitors of the website could have written proves nothing: %s', async (_case, html) => {
  expect((await check({ '/product?a=b': html })).result).toBe('missing');
});

test.each(['', 'text/plain', 'application/xhtml+xml', 'image/svg+xml'])(
  'a file proves control with the type %j, and a listed page does not',
  async (type) => {
    expect((await check({ [FILE]: 'right' }, type)).result).toBe('host');
    expect((await check({ '/product?a=b': META }, type)).result).toBe('missing');
  },
);

test('the result tells a missing challenge, a redirect and an unreachable website apart', async () => {
  const [refused, redirect] = [new Error('connect ECONNREFUSED'), new RedirectError('It redirects')];
  expect((await check({})).result).toBe('missing');
  expect((await check({ [FILE]: refused, '/product?a=b': META })).result).toBe('page');
  expect((await check({ [FILE]: redirect, '/product?a=b': '' })).result).toBe('missing');
  expect((await check({ [FILE]: redirect, '/product?a=b': redirect })).result).toBe('redirected');
  expect((await check({ [FILE]: refused, '/product?a=b': refused })).result).toBe('unreachable');
});

test.each([
  ['bitbucket.org', 'page'],
  ['www.bitbucket.org', 'page'],
  ['BitBucket.org.', 'page'],
  ['gist.github.com', 'page'],
  ['pages.gallery.example', 'page'],
  ['someone.github.io', 'host'],
  ['notgithub.com', 'host'],
  ['github.com.example', 'host'],
])('a file on %s proves the %s, since pages of a shared host belong to many people', async (host, proof) => {
  const { result } = await check({ [FILE]: 'right' }, 'text/plain', `https://${host}/someone/agent`);
  expect(result).toBe(proof);
});
