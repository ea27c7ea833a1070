import type { FastifyInstance } from 'fastify';
import { CACHE_FOR_AN_HOUR, type ResponseCache } from '../cache/response-cache.ts';

/** Parameters of the list of servers. */
const listParameters = ['limit', 'cursor', 'search', 'version', 'updated_since', 'include_deleted'];

const operation = (summary: string, names: readonly string[] = [], place = 'path') => ({
  get: {
    summary,
    parameters: names.map((name) => ({ name, in: place, required: place === 'path', schema: { type: 'string' } })),
    responses: { 200: { description: 'OK', content: { 'application/json': {} } } },
  },
});

const document = {
  openapi: '3.1.0',
  info: {
    title: 'MCP Registry API',
    // ToolHive takes a registry whose version and description are these.
    version: '1.0.0',
    description: 'The read API of https://github.com/modelcontextprotocol/registry, version 0.1.',
  },
  paths: {
    '/v0.1/servers': operation('List MCP servers', listParameters, 'query'),
    '/v0.1/servers/{serverName}/versions': operation('List the versions of a server', ['serverName']),
    '/v0.1/servers/{serverName}/versions/{version}': operation('Read a server', ['serverName', 'version']),
    '/v0.1/ping': operation('Ping'),
    '/v0.1/health': operation('Health check'),
  },
};

/** Serves the description of the MCP registry API, by which clients check what a registry is. JSON is YAML. */
export function registerOpenApiYaml(scope: FastifyInstance, cache: ResponseCache): void {
  scope.get(
    '/openapi.yaml',
    cache.route({
      readVersion: () => 'constant',
      produce: async () => ({
        headers: { 'content-type': 'application/yaml', 'cache-control': CACHE_FOR_AN_HOUR },
        body: JSON.stringify(document, undefined, 2),
      }),
    }),
  );
}
