import { HELD_STATUS } from './registration-mode.ts';

/** The REST call of a procedure. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The full path; `{name}` is a field of the input. */
  path: `/api/${string}`;
  summary: string;
  /** Whether the call needs a body. */
  hasBody?: true;
  /** The status of a successful response. */
  status: 200 | 201;
  /** Another status of a successful response with the same body. */
  otherStatus?: typeof HELD_STATUS;
  /** Client error statuses, in addition to those of every call. */
  errors: readonly (401 | 403 | 404 | 410 | 412 | 413 | 415 | 422)[];
};

/** The REST calls by procedure name. Every REST path of the project is defined here. */
export const endpoints = {
  'agents.list': {
    method: 'GET',
    path: '/api/agents',
    summary: 'All agents, newest first or in the given order; a page of them when limit is given',
    status: 200,
    errors: [],
  },
  'agents.byCategory': {
    method: 'GET',
    path: '/api/agents/category/{category}',
    summary: 'The agents of one category, newest first or in the given order; a page of them when limit is given',
    status: 200,
    errors: [],
  },
  'agents.search': {
    method: 'GET',
    path: '/api/search',
    summary: 'The agents that a text finds, best match first or in the given order',
    status: 200,
    errors: [],
  },
  'agents.facets': {
    method: 'GET',
    path: '/api/facets',
    summary: 'How many agents of a list each value of a filter would leave',
    status: 200,
    errors: [],
  },
  'agents.get': {
    method: 'GET',
    path: '/api/agents/{id}',
    summary: 'One agent',
    status: 200,
    errors: [404, 410],
  },
  'agents.register': {
    method: 'POST',
    path: '/api/agents',
    summary: 'Register an agent',
    hasBody: true,
    status: 201,
    otherStatus: HELD_STATUS,
    errors: [413, 415, 422],
  },
  'agents.update': {
    method: 'PATCH',
    path: '/api/agents/{id}',
    summary: 'Change an agent',
    hasBody: true,
    status: 200,
    errors: [401, 404, 410, 412, 413, 415],
  },
  'agents.withdraw': {
    method: 'DELETE',
    path: '/api/agents/{id}',
    summary: 'Withdraw an agent',
    status: 200,
    errors: [401, 404, 410, 412, 413, 415],
  },
  'agents.replaceKey': {
    method: 'POST',
    path: '/api/agents/{id}/management-key',
    summary: 'Replace the management key of an agent',
    status: 200,
    errors: [401, 404, 410, 412, 413, 415],
  },
  'agents.challenge': {
    method: 'POST',
    path: '/api/agents/{id}/website-challenge',
    summary: 'Get a text that proves control of the website of an agent',
    status: 200,
    errors: [403, 404, 410, 413, 415, 422],
  },
  'agents.claim': {
    method: 'POST',
    path: '/api/agents/{id}/website-claim',
    summary: 'Give an agent another management key by way of its website',
    status: 200,
    errors: [403, 404, 410, 413, 415, 422],
  },
  'agents.report': {
    method: 'POST',
    path: '/api/agents/{id}/reports',
    summary: 'Report a problem with an agent to the operator',
    hasBody: true,
    status: 201,
    errors: [404, 410, 413, 415],
  },
  'agents.history': {
    method: 'GET',
    path: '/api/agents/{id}/history',
    summary: 'The changes of an agent, latest first',
    status: 200,
    errors: [404, 410],
  },
  'changes.list': {
    method: 'GET',
    path: '/api/changes',
    summary: 'What changed since a cursor, each agent at most once',
    status: 200,
    errors: [410],
  },
  'stats.get': {
    method: 'GET',
    path: '/api/stats',
    summary: 'The headline figures, and how many agents are in each category',
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;

/** The name of a procedure with a REST call. */
export type EndpointName = keyof typeof endpoints;

/** The path of the OpenAPI document. */
export const OPENAPI_PATH = '/api/openapi.json';

/** The path of the API reference. */
export const API_REFERENCE_PATH = '/api/docs';
