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
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { toUserAgent } from '../../website-check/user-agent.ts';
import { renderReference } from './reference.ts';

let app: TestApp;
let page: string;
let response: Response;
/** The examples, by the headings of their calls. */
let examples: Map<string, string>;

beforeAll(async () => {
  app = await startTestApp();
  response = await fetch(app.url + API_REFERENCE_PATH);
  page = await response.text();
  const sections = [
    ...page.matchAll(/<h3 id="[^"]*">([A-Z]+ \/[^<]*)<\/h3>.*?<code class="language-sh">(.*?)<\/code>/gs),
  ];
  examples = new Map(sections.map(([, title = '', example = '']) => [title, example.replaceAll('&quot;', '"').trim()]));
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
  const [overview, text] = page.split('</nav>').slice(-2);
  for (const [name, { method, path }] of Object.entries(endpoints)) {
    const { summary } = endpointDescriptions[name as EndpointName];
    expect(text?.split(`>${method} ${path}</h3>`)).toHaveLength(2);
    expect(overview).toContain(`>${method} ${path}</a> ${summary}</li>`);
  }
  const headings = [...page.matchAll(/<h2 id="[^"]+">([^<]+)/g)].map(([, heading]) => heading);
  expect(headings.slice(0, 7)).toEqual([
    'Browse',
    'Register and own',
    'For programs',
    'Statuses',
    'Headers',
    'Data',
    'For owners',
  ]);
  for (const field of Object.keys(newAgentSchema.shape)) expect(page).toContain(`<code>${field}</code>`);
  expect(page).toContain('At most 2,000 characters as people see them');
  expect(page).toContain('<code>q</code> (query, required, text');
});

test('every link within it leads somewhere, and no heading has the place of another', () => {
  const places = [...page.matchAll(/<h[1-6] id="([^"]+)"/g)].map(([, id]) => id);
  const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => ![...places, 'main'].includes(id))).toEqual([]);
  expect(new Set(places).size).toBe(places.length);
  expect([...page.matchAll(/href="([^"#/h][^"]*)"/g)]).toEqual([]);
});

test('it explains the requests to websites, at the address that they name, and the ratings', () => {
  const [, anchor] = /#([^)]+)\)$/.exec(toUserAgent('https://registry.example')) as RegExpExecArray;
  expect(page).toMatch(new RegExp(`<h2 id="${anchor}">.*<code>AgentRegistry</code>.*robots.txt`, 's'));
  expect(page).toMatch(/<h2 id="ratings">.*Visitors cannot rate agents/s);
});

test('the example of every read asks for an address that answers', async () => {
  const reads = [...examples].filter(([title]) => title.startsWith('GET '));
  expect(reads).toHaveLength(Object.values(endpoints).filter(({ method }) => method === 'GET').length);
  for (const [title, example] of reads) {
    const [, url = ''] = /^curl '([^']+)'$/.exec(example) ?? [];
    expect([title, (await fetch(url)).status]).toEqual([title, 200]);
  }
});

test('examples of writes have their key, their headers and their body', () => {
  expect(examples.get('PATCH /api/agents/{id}')).toMatch(
    /^curl --request PATCH '[^']+' \\\n {2}--header 'Authorization: Bearer &lt;key&gt;' \\\n {2}--json '/,
  );
});

test('in the frame of the site, the script of the colour scheme stays and that of the app goes', async () => {
  const template =
    '<head><style>:root{}</style><script>color-scheme</script><!--head--></head><!--page--><!--state--><script>import("/a.js")</script>';
  const document = { info: {}, tags: [], paths: {}, components: { schemas: {} } };
  const siteConfig = { ...defaultSiteConfig, name: 'A & $& B' };
  const framed = await renderReference(document, app.url, { template, siteConfig });
  expect(framed).toMatch(/^<head><style>:root\{\}<\/style><script>color-scheme<\/script><title>/);
  expect(framed).not.toContain('/a.js');
  expect(framed).toContain('<title>API reference – A &#38; $&#38; B</title>');
  expect(framed.match(/<script/g)).toHaveLength(1);
});

test('texts of the document are no markup, and a quote does not end a text', async () => {
  const call = { tags: ['<a>'], summary: '<u>', responses: { 200: { description: '<s> [x](y)' } } };
  const body = { content: { 'application/json': { schema: {}, example: ["it's"] } } };
  const document = {
    info: { description: '<b>"& *x*' },
    tags: [{ name: '<a>', description: '<q>' }],
    paths: { '/<i>': { get: call, post: { ...call, requestBody: body } } },
    components: { schemas: { Agent: { description: '<em>' } } },
  };
  const frame = { template: undefined, siteConfig: defaultSiteConfig };
  const rendered = await renderReference(document, 'https://registry.example', frame);
  expect(rendered.split('For owners</h2>')[0]).not.toMatch(/<b>"|<i>|<u>|<s>|<em>|<a>|<q>|href="y"/);
  expect(rendered).toContain(String.raw`it'\''s`);
});
