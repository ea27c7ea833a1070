import { expect, test } from 'vitest';
import { endpoints, OPENAPI_PATH } from './endpoints.ts';

test('the endpoints are the six calls of the specification', () => {
  expect(Object.values(endpoints).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/agents',
    'GET /api/agents/category/{category}',
    'GET /api/search',
    'GET /api/agents/{id}',
    'POST /api/agents',
    'GET /api/stats',
  ]);
});

test('a registration is answered with 201, every other call with 200', () => {
  for (const { method, status } of Object.values(endpoints)) expect(status).toBe(method === 'POST' ? 201 : 200);
});

test('the OpenAPI document lies below /api and takes the place of no call', () => {
  expect(OPENAPI_PATH).toBe('/api/openapi.json');
});
