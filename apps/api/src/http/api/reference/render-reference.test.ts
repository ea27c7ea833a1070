import {
  API_REFERENCE_PATH,
  defaultSiteConfig,
  endpointDescriptions,
  endpoints,
  EXAMPLE_AGENT_ID,
  newAgentSchema,
  OPENAPI_PATH,
  type EndpointName,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import { toUserAgent } from '../../../website-check/user-agent.ts';
import { listCalls, type Call, type Document } from './document.ts';
import { toCurl, toExampleRequest } from './call.ts';
import { renderReference } from './render-reference.ts';

let app: TestApp;
let page: string;
let response: Response;
let calls: Call[];

beforeAll(async () => {
  app = await startTestApp();
  response = await fetch(app.url + API_REFERENCE_PATH);
  page = await response.text();
  const document = (await (await fetch(app.url + OPENAPI_PATH)).json()) as Document;
  calls = listCalls(document);
  await app.agents.load([makeAgent({ id: EXAMPLE_AGENT_ID })]);
  return () => app.close();
});

test('the reference is an HTML page that is whole without scripts, and that browsers may keep', () => {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('private, max-age=3600, no-transform');
  expect(page).not.toContain('<script');
  expect(page).toContain(`href="${OPENAPI_PATH}"`);
});

test('it has every call in one group, with its summary in the overview, and every field of a registration', () => {
  for (const [name, { method, path }] of Object.entries(endpoints)) {
    const { summary } = endpointDescriptions[name as EndpointName];
    expect(page.split(`<h3><b>${method}</b> <code>${path}</code></h3>`)).toHaveLength(2);
    expect(page).toContain(`<b>${method}</b> <code>${path}</code></a> <span>${summary}</span>`);
  }
  const headings = [...page.matchAll(/<h2 id="[^"]+">([^<]+)/g)].map(([, heading]) => heading);
  expect(headings).toEqual(['Browse', 'Register and own', 'For programs', 'Data']);
  for (const field of Object.keys(newAgentSchema.shape)) expect(page).toContain(`<dt><code>${field}</code>`);
  expect(page).toContain('At most 2,000 characters as people see them');
  expect(page).toContain('<dt><code>q</code> <small>query, required</small></dt>');
});

test('it explains the requests to websites, at the address that they name, and the ratings', () => {
  const sectionOf = (id: string) => page.split(`<section id="${id}">`)[1]?.split('</section>', 1)[0];
  const [, anchor] = /#([^)]+)\)$/.exec(toUserAgent('https://registry.example')) as RegExpExecArray;
  expect(sectionOf(anchor as string)).toMatch(
    /<h2>Requests to websites<\/h2>.*<code>AgentRegistry<\/code>.*robots\.txt/s,
  );
  expect(sectionOf('ratings')).toMatch(/<h2>Ratings<\/h2>.*Visitors cannot rate agents here/s);
});

test('a call lists its own errors, and leaves those of every call to one place', () => {
  const section = /<section id="agents-register".*?<\/section>/s.exec(page)?.[0] ?? '';
  expect(section).toContain('<dt><code>422</code>');
  expect(section).toContain('href="#errors"');
  expect(section).not.toContain('<dt><code>503</code>');
  expect(/<section id="errors".*?<\/section>/s.exec(page)?.[0]).toContain('<dt><code>503</code>');
});

test('the example of every read asks for an address that answers', async () => {
  const reads = calls.filter(({ method }) => method === 'GET');
  expect(reads).not.toEqual([]);
  for (const call of reads) {
    const request = toExampleRequest(call, app.url);
    expect([call.path, (await fetch(request.url)).status]).toEqual([call.path, 200]);
    expect(toCurl(request)).toBe(`curl '${request.url}'`);
  }
});

test('examples of writes have their key, their headers and their body, and a quote does not end a text', () => {
  const call = calls.find(({ method, path }) => method === 'PATCH' && path === '/api/agents/{id}');
  expect(toCurl(toExampleRequest(call!, app.url))).toMatch(
    /^curl --request PATCH '[^']+' \\\n {2}--header 'Authorization: Bearer <key>' \\\n {2}--json '/,
  );
  const request = { method: 'POST', url: 'https://r.example/a', headers: [], body: ["it's"] };
  expect(toCurl(request)).toContain(String.raw`"it'\''s"`);
});

test('in the frame of the site, the script of the colour scheme stays and that of the app goes', () => {
  const template =
    '<head><style>:root{}</style><script>color-scheme</script><!--head--></head><!--page--><!--state--><script>import("/a.js")</script>';
  const document = { info: {}, tags: [], paths: {}, components: { schemas: {} } };
  const framed = renderReference(document, app.url, {
    template,
    siteConfig: { ...defaultSiteConfig, name: 'A & $& B' },
  });
  expect(framed).toMatch(/^<head><style>:root\{\}<\/style><script>color-scheme<\/script><title>/);
  expect(framed).not.toContain('/a.js');
  expect(framed).toContain('<title>API reference – A &#38; $&#38; B</title>');
  expect(framed.match(/<script/g)).toHaveLength(1);
});

test('texts of the document are no markup', () => {
  const document = {
    info: { description: '<b>"&' },
    tags: [{ name: '<a>', description: '<q>' }],
    paths: { '/<i>': { get: { tags: ['<a>'], summary: '<u>', responses: { 200: { description: '<s>' } } } } },
    components: { schemas: { Agent: { description: '<em>' } } },
  };
  const frame = { template: undefined, siteConfig: defaultSiteConfig };
  expect(renderReference(document, 'https://registry.example', frame)).not.toMatch(/<b>"|<i>|<u>|<s>|<em>|<a>|<q>/);
});
