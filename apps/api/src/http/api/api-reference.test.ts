import {
  API_REFERENCE_PATH,
  endpointDescriptions,
  endpoints,
  newAgentSchema,
  OPENAPI_PATH,
  type EndpointName,
} from '@agent-registry/contracts';
import { beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { renderApiReference } from './api-reference.ts';

let app: TestApp;
let page: string;
let response: Response;

beforeAll(async () => {
  app = await startTestApp();
  response = await fetch(app.url + API_REFERENCE_PATH);
  page = await response.text();
  return () => app.close();
});

test('the reference is an HTML page without scripts that caches may keep', () => {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(page).not.toContain('<script');
  expect(page).toContain(`href="${OPENAPI_PATH}"`);
});

test('it has every call, every field of a registration, and examples with the origin of the registry', () => {
  for (const [name, { method, path }] of Object.entries(endpoints)) {
    const { summary } = endpointDescriptions[name as EndpointName];
    expect(page).toContain(`<h2><b>${method}</b> <code>${path}</code></h2>`);
    expect(page).toContain(summary);
  }
  for (const field of Object.keys(newAgentSchema.shape)) expect(page).toContain(`<dt><code>${field}</code>`);
  expect(page).toContain('At most 2,000 characters as people see them');
  expect(page).toContain(`curl '${app.url}/api/search?q=translate'`);
  expect(page).toContain('<dt><code>q</code> <small>query, required</small></dt>');
  expect(page).toMatch(/ --request PATCH --header .*Authorization: Bearer (?:<|&lt;|&#60;)key.* --json /);
});

test('texts of the document are no markup', () => {
  const document = {
    info: { description: '<b>"&' },
    paths: { '/<i>': { get: { summary: '<u>', responses: { 200: { description: '<s>' } } } } },
    components: { schemas: { Agent: { description: '<em>' } } },
  };
  expect(renderApiReference(document, 'https://registry.example')).not.toMatch(/<b>"|<i>|<u>|<s>|<em>/);
});
