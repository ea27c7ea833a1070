/** How a procedure is reached over REST. */
export type Endpoint = {
  method: 'GET' | 'POST';
  /** The whole path; `{name}` stands for the input's field of that name. */
  path: `/api/${string}`;
  summary: string;
  /** The status of a success. */
  status: 200 | 201;
  /** The statuses that a caller's own mistake can lead to, besides those that it can with any call. */
  errors: readonly (404 | 413 | 415 | 422)[];
};

/** The REST calls by the procedure behind each: the only home of a REST path. */
export const endpoints = {
  'agents.list': {
    method: 'GET',
    path: '/api/agents',
    summary: 'All agents, newest first; a page of them when limit is given',
    status: 200,
    errors: [],
  },
  'agents.byCategory': {
    method: 'GET',
    path: '/api/agents/category/{category}',
    summary: 'The agents of one category, newest first; a page of them when limit is given',
    status: 200,
    errors: [],
  },
  'agents.search': {
    method: 'GET',
    path: '/api/search',
    summary: 'The agents in which every word of the text occurs, best match first',
    status: 200,
    errors: [],
  },
  'agents.get': {
    method: 'GET',
    path: '/api/agents/{id}',
    summary: 'One agent',
    status: 200,
    errors: [404],
  },
  'agents.register': {
    method: 'POST',
    path: '/api/agents',
    summary: 'Register an agent',
    status: 201,
    errors: [413, 415, 422],
  },
  'stats.get': {
    method: 'GET',
    path: '/api/stats',
    summary: 'The headline figures, and how many agents are in each category',
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;

/** The name of a procedure that is reached over REST. */
export type EndpointName = keyof typeof endpoints;

/** Where the OpenAPI document is served. */
export const OPENAPI_PATH = '/api/openapi.json';
