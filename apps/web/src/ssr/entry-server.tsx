import { text } from 'node:stream/consumers';
import type { AnswerHeaders, PageRenderer, RenderRequest, RenderedPage } from '@agent-registry/api/page-renderer';
import { RestError, type AppRouter } from '@agent-registry/client';
import { HONEYPOT_FIELD, MAX_FULL_LIST, toAgentPath, type Agent, type EndpointName } from '@agent-registry/contracts';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from '../App.tsx';
import type { RefusedForm } from '../features/register/form-state.ts';
import { readFields, TERMS_FIELD } from '../features/register/form-values.ts';
import { toNewAgent, validate } from '../features/register/validation.ts';
import { inTime, readPageData } from './page-data.ts';
import { toDataElement, toSocialMetaTags } from './social-meta.ts';
import { PAGE_STATE_ID, type PageState } from './page-state.ts';
import { Pages } from '../routes.tsx';
import { createApi, createQueryClient } from '../api/trpc.ts';

/** Renders the page at an address. */
export const renderPage: PageRenderer['renderPage'] = (request) => render(request);

/** Registers what a form without scripts has sent, or renders the page with the form and what is wrong with it. */
export const registerByForm: PageRenderer['registerByForm'] = async (request, fields) => {
  const values = readFields(fields);
  const errors = validate(values);
  if (Object.keys(errors).length > 0) {
    return render(request, { status: 400, values, errors, message: 'Please correct what is marked below.' });
  }
  if (!fields.has(TERMS_FIELD)) {
    return render(request, { status: 400, values, errors, message: 'Please agree to the terms.' });
  }
  const bait = fields.get(HONEYPOT_FIELD);
  const result = await request.call('agents.register', {
    ...toNewAgent(values),
    ...(bait && { [HONEYPOT_FIELD]: bait }),
  });
  if ('data' in result) return { location: toAgentPath((result.data as Agent).id) };
  const { status, detail } = result.failure;
  return render(request, { status, values, errors, message: `${detail}.` });
};

async function render(request: RenderRequest, refused?: RefusedForm & { status: number }): Promise<RenderedPage> {
  const { origin, isRegistrationClosed, template } = request;
  const url = toUrl(request);
  const link = inProcessLink(request.call);
  const [data, total] = await Promise.all([
    readPageData(url, createApi(link, createQueryClient())),
    inTime(request.countAgents()),
  ]);
  const { status = data.status, ...refusedForm } = refused ?? {};
  const state: PageState = {
    // Where nobody knows how many agents there are, pages are right at any size.
    site: { origin, isPaged: total === undefined || total > MAX_FULL_LIST, isRegistrationClosed },
    entries: data.entries,
    ...(refused && { refusedForm: refusedForm as RefusedForm }),
  };
  const { head, page } = splitHead(await toMarkup(url, state, link));
  const html = template
    .replace('<!--head-->', () => head + toSocialMetaTags(data, origin))
    .replace('<!--page-->', () => page)
    .replace('<!--state-->', () => toDataElement('application/json', state, PAGE_STATE_ID));
  return { status, html, isComplete: data.isComplete && total !== undefined };
}

/** The whole address; whatever was sent as its path, it is one of ours. */
function toUrl({ origin, url }: RenderRequest): URL {
  const [path = '', ...query] = url.split('?');
  // What a URL would take for a way upwards is a name, as it is to the routes.
  const pathname = path.replaceAll(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replaceAll(/\.|%2e/gi, '%252e'));
  return Object.assign(new URL(origin), { pathname, search: query.join('?') });
}

/** What a call may bring along, as `RestContext` where it travels. */
type PageContext = { onHeaders?: (headers: AnswerHeaders) => void };

/** A terminating tRPC link that calls the procedures of this process. */
function inProcessLink(call: RenderRequest['call']): TRPCLink<AppRouter> {
  return () =>
    ({ op: { path, input, context } }) =>
      observable((observer) => {
        void call(path as EndpointName, input).then((result) => {
          if ('failure' in result) {
            const { status, detail } = result.failure;
            observer.error(TRPCClientError.from(new RestError(status, detail)));
            return;
          }
          (context as PageContext).onHeaders?.(result.headers);
          observer.next({ result: { type: 'data', data: result.data } });
          observer.complete();
        });
      });
}

async function toMarkup(url: URL, state: PageState, link: TRPCLink<AppRouter>): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <App state={state} link={link}>
      <StaticRouter location={{ pathname: url.pathname, search: url.search }}>
        <Pages />
      </StaticRouter>
    </App>,
    // All in its place: what React moves to the end of a page, it moves back by a script, which our policy forbids.
    { progressiveChunkSize: Infinity },
  );
  return text(prelude);
}

/** Takes what React has put in front of the page apart, since it belongs into the head; React escapes every `>` in a text. */
function splitHead(markup: string): { head: string; page: string } {
  const [head] = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)*/.exec(markup) ?? [''];
  return { head, page: markup.slice(head.length) };
}
