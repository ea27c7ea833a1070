/** The context of a query. */
export type QueryContext = {
  /** Called with the response headers before the call resolves, such as `X-Total-Count` of a page. */
  onHeaders?: ((headers: Headers) => void) | undefined;
};

/** The context of a read of one agent. */
export type AgentContext = QueryContext & {
  /** Called with the status before the call resolves: 202 if the agent or its changes wait for review by the operator. */
  onStatus?: ((status: number) => void) | undefined;
  /** The management key of the agent: the call rejects with a 401 if it is another. */
  key?: string | undefined;
};

/** The context of a registration or a change. */
export type RestContext = AgentContext & {
  /** The idempotency key: a retry with the same key does not register again. */
  idempotencyKey?: string | undefined;
  /** The management key that the agent gets: of a registration, or in place of its key (`createManagementKey`). */
  newKey?: string | undefined;
  /** The `ETag` of the agent as it was read: the change is refused with a 412 if the agent has changed since. */
  ifMatch?: string | undefined;
};

/** Options of a call. */
export type CallOptions<Context = RestContext> = {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** What goes with the request besides its input, and what comes with the response besides its body. */
  context?: Context | undefined;
};

/** A call that reads; an input that may be undefined can be left out. */
export type Query<Input, Output, Context = QueryContext> = {
  /** Sends the call. */
  query: (
    ...args: undefined extends Input
      ? [input?: Input, options?: CallOptions<Context>]
      : [input: Input, options?: CallOptions<Context>]
  ) => Promise<Output>;
};

/** A call that changes something. */
export type Mutation<Input, Output> = {
  /** Sends the call. */
  mutate: (input: Input, options?: CallOptions) => Promise<Output>;
};
