import { text } from 'node:stream/consumers';
import type { RenderMarkup } from '@agent-registry/api/page-renderer';
import type { AppRouter } from '@agent-registry/client/rest-link';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from '../App.tsx';
import type { PageState } from '../pages/page-state.ts';
import { Pages } from '../routes.tsx';

/** Renders the markup of a page, from which nothing is requested: what its state lacks, the browser loads. */
export const renderMarkup: RenderMarkup = async ({ location, state }) => {
  const { prelude } = await prerenderToNodeStream(
    <App state={state as PageState} link={noRequests}>
      <StaticRouter location={location}>
        <Pages />
      </StaticRouter>
    </App>,
    // In one chunk: React moves later chunks into place with inline scripts, which the content security policy forbids.
    { progressiveChunkSize: Infinity },
  );
  return text(prelude);
};

const noRequests: TRPCLink<AppRouter> = () => () =>
  observable((observer) => observer.error(TRPCClientError.from(new Error('Nothing is requested while rendering'))));
