/** How a procedure is reached over REST. */
export type Endpoint = {
    method: 'GET' | 'POST';
    /** The whole path; `{name}` stands for the input's field of that name. */
    path: `/api/${string}`;
    summary: string;
    /** The status of a success. */
    status: 200 | 201;
    /** The statuses that a caller's own mistake can lead to. */
    errors: readonly (400 | 404 | 413 | 415)[];
};
/** The REST calls by the procedure behind each: the only home of a REST path. */
export declare const endpoints: {
    readonly 'agents.list': {
        readonly method: 'GET';
        readonly path: '/api/agents';
        readonly summary: 'All agents, newest first; a page of them when limit is given';
        readonly status: 200;
        readonly errors: readonly [400];
    };
    readonly 'agents.byCategory': {
        readonly method: 'GET';
        readonly path: '/api/agents/category/{category}';
        readonly summary: 'The agents of one category, newest first';
        readonly status: 200;
        readonly errors: readonly [400];
    };
    readonly 'agents.search': {
        readonly method: 'GET';
        readonly path: '/api/search';
        readonly summary: 'The agents in which every word of the text occurs, best match first';
        readonly status: 200;
        readonly errors: readonly [400];
    };
    readonly 'agents.get': {
        readonly method: 'GET';
        readonly path: '/api/agents/{id}';
        readonly summary: 'One agent';
        readonly status: 200;
        readonly errors: readonly [400, 404];
    };
    readonly 'agents.register': {
        readonly method: 'POST';
        readonly path: '/api/agents';
        readonly summary: 'Register an agent';
        readonly status: 201;
        readonly errors: readonly [400, 413, 415];
    };
    readonly 'stats.get': {
        readonly method: 'GET';
        readonly path: '/api/stats';
        readonly summary: 'The headline figures';
        readonly status: 200;
        readonly errors: readonly [];
    };
};
/** The name of a procedure that is reached over REST. */
export type EndpointName = keyof typeof endpoints;
/** Where the OpenAPI document is served. */
export declare const OPENAPI_PATH = "/api/openapi.json";
