import type { AppRouter } from '@agent-registry/api/router';
import { pageFromHeaders, returnsPage, type ListedAgent } from '@agent-registry/contracts';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { RestContext } from './calls.ts';
import { createRestCall, type ClientOptions } from './rest-call.ts';

export type { AppRouter } from '@agent-registry/api/router';

/**
 * A terminating tRPC link that sends each call to the REST path of its procedure; its context is a `RestContext`.
 * A failed call rejects with a `TRPCClientError` with the message of the `RestError`, and the `RestError` as its cause.
 * @example createTRPCClient<AppRouter>({ links: [restLink({ url: 'https://registry.example' })] })
 */
export function restLink(options: ClientOptions): TRPCLink<AppRouter> {
  const call = createRestCall(options);
  return () =>
    ({ op }) =>
      observable((observer) => {
        const aborter = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, aborter.signal]) : aborter.signal;
        let headers = new Headers();
        const context: RestContext = {
          ...op.context,
          onHeaders: (received) => {
            headers = received;
            (op.context as RestContext).onHeaders?.(received);
          },
        };
        call(op.path, op.input, { signal, context }).then(
          (body) => {
            const data = returnsPage(op.path) && body ? pageFromHeaders(body as ListedAgent[], headers) : body;
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          (error: unknown) => observer.error(TRPCClientError.from(error as Error)),
        );
        return () => aborter.abort();
      });
}
