import { HELD_STATUS } from './registration-mode.ts';

/** The REST call of a procedure. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The full path; `{name}` is a field of the input. */
  path: `/api/${string}`;
  /** Whether the call needs a body. */
  hasBody?: true;
  /** The status of a successful response. */
  status: 200 | 201;
  /** Another status of a successful response with the same body. */
  otherStatus?: typeof HELD_STATUS;
};

/** The REST calls by procedure name. Every REST path of the project is defined here. */
export const endpoints = {
  'agents.list': {
    method: 'GET',
    path: '/api/agents',
    status: 200,
  },
  'agents.byCategory': {
    method: 'GET',
    path: '/api/agents/category/{category}',
    status: 200,
  },
  'agents.search': {
    method: 'GET',
    path: '/api/search',
    status: 200,
  },
  'agents.facets': {
    method: 'GET',
    path: '/api/facets',
    status: 200,
  },
  'agents.get': {
    method: 'GET',
    path: '/api/agents/{id}',
    status: 200,
    otherStatus: HELD_STATUS,
  },
  'agents.register': {
    method: 'POST',
    path: '/api/agents',
    hasBody: true,
    status: 201,
    otherStatus: HELD_STATUS,
  },
  'agents.update': {
    method: 'PATCH',
    path: '/api/agents/{id}',
    hasBody: true,
    status: 200,
  },
  'agents.withdraw': {
    method: 'DELETE',
    path: '/api/agents/{id}',
    status: 200,
  },
  'agents.replaceKey': {
    method: 'POST',
    path: '/api/agents/{id}/management-key',
    status: 200,
  },
  'agents.challenge': {
    method: 'POST',
    path: '/api/agents/{id}/website-challenge',
    status: 200,
  },
  'agents.claim': {
    method: 'POST',
    path: '/api/agents/{id}/website-claim',
    status: 200,
  },
  'agents.report': {
    method: 'POST',
    path: '/api/agents/{id}/reports',
    hasBody: true,
    status: 201,
  },
  'agents.history': {
    method: 'GET',
    path: '/api/agents/{id}/history',
    status: 200,
  },
  'changes.list': {
    method: 'GET',
    path: '/api/changes',
    status: 200,
  },
  'stats.get': {
    method: 'GET',
    path: '/api/stats',
    status: 200,
  },
} as const satisfies Record<string, Endpoint>;

/** The name of a procedure with a REST call. */
export type EndpointName = keyof typeof endpoints;

/** The path of the OpenAPI document. */
export const OPENAPI_PATH = '/api/openapi.json';

/** The path of the API reference. */
export const API_REFERENCE_PATH = '/api/docs';
