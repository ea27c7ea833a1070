export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The full path; `{name}` is a field of the input. */
  path: `/api/${string}`;
  hasBody?: true | 'optional';
  /** Whether it returns a `Page`. REST sends its agents as the body, and the rest of it as headers. */
  isPage?: true;
};

/** The REST calls by procedure name, as browsers need them; `endpointDescriptions` has the rest of each. */
export const endpoints = {
  'agents.list': { method: 'GET', path: '/api/agents', isPage: true },
  'agents.byCategory': { method: 'GET', path: '/api/agents/category/{category}', isPage: true },
  'agents.search': { method: 'GET', path: '/api/search', isPage: true },
  'agents.suggest': { method: 'GET', path: '/api/suggest' },
  'agents.facets': { method: 'GET', path: '/api/facets' },
  'agents.get': { method: 'GET', path: '/api/agents/{id}' },
  'agents.register': { method: 'POST', path: '/api/agents', hasBody: true },
  'agents.update': { method: 'PATCH', path: '/api/agents/{id}', hasBody: true },
  'agents.withdraw': { method: 'DELETE', path: '/api/agents/{id}' },
  'agents.takeBack': { method: 'DELETE', path: '/api/agents/{id}/proposal' },
  'agents.replaceKey': { method: 'POST', path: '/api/agents/{id}/management-key' },
  'agents.challenge': { method: 'POST', path: '/api/agents/{id}/website-challenge' },
  'agents.claim': { method: 'POST', path: '/api/agents/{id}/website-claim', hasBody: 'optional' },
  'agents.report': { method: 'POST', path: '/api/agents/{id}/reports', hasBody: true },
  'agents.history': { method: 'GET', path: '/api/agents/{id}/history' },
  'agents.facts': { method: 'GET', path: '/api/agents/{id}/facts' },
  'agents.checkConnections': { method: 'POST', path: '/api/agents/{id}/connection-check' },
  'changes.list': { method: 'GET', path: '/api/changes' },
  'prefill.read': { method: 'POST', path: '/api/prefill', hasBody: true },
  'stats.get': { method: 'GET', path: '/api/stats' },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

export type ReadName = {
  [Name in EndpointName]: (typeof endpoints)[Name]['method'] extends 'GET' ? Name : never;
}[EndpointName];

export type PageName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { isPage: true } ? Name : never;
}[EndpointName];

export function returnsPage(procedure: string): procedure is PageName {
  return Object.hasOwn(endpoints, procedure) && 'isPage' in endpoints[procedure as EndpointName];
}

export const OPENAPI_PATH = '/api/openapi.json';
export const API_REFERENCE_PATH = '/api/docs';
