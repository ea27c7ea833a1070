import { text } from 'node:stream/consumers';
import type {
  AnswerHeaders,
  CallResult,
  ManageForm,
  MarkupInput,
  PageRenderer,
  RenderRequest,
  RenderedPage,
} from '@agent-registry/api/page-renderer';
import { RestError } from '@agent-registry/client';
import type { AppRouter } from '@agent-registry/client/rest-link';
import {
  HELD_STATUS,
  HONEYPOT_FIELD,
  MAX_FULL_LIST,
  REFUSAL_HEADER,
  toAgentPath,
  toManageLink,
  VERSION_FIELD,
  type Agent,
  type EndpointName,
  type Prefill,
} from '@agent-registry/contracts';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { createApi, createQueryClient } from '../api/trpc.ts';
import { App } from '../App.tsx';
import { readToday } from '../components/use-today.ts';
import { REPORTED_HASH, WAITING_HASH } from '../components/Notice.tsx';
import type { RefusedForm } from '../components/agent-form/refused-form.ts';
import {
  addScheme,
  initialValues,
  readFormData,
  TERMS_FIELD,
  toFormErrors,
  toFormValues,
  toNewAgentInput,
  toPatch,
  type RegisterFormValues,
} from '../components/agent-form/form-values.ts';
import { describeFilled, fillIn } from '../components/agent-form/prefill-values.ts';
import type { RegisteredByForm } from '../lib/site.ts';
import { Pages } from '../routes.tsx';
import { loadPageData, withTimeout } from './page-data.ts';
import { PAGE_STATE_ID, type PageState } from '../pages/page-state.ts';
import { toDataElement, toSocialMetaTags } from './social-meta.ts';
import { renderSymbols } from './symbols.tsx';

/** Renders the page at a URL. */
export const renderPage: PageRenderer['renderPage'] = (request) => render(request);

/** Renders the markup of a page, from which nothing is requested: what its state lacks, the browser loads. */
export const renderMarkup = async ({ location, state }: MarkupInput): Promise<string> => {
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

/** The message for a form that was sent twice: the first response has the link, and nobody else may get it. */
const SENT_BEFORE =
  'This form was sent before, and the agent is registered. Its management link was in the first response. If it is lost, “Is this your agent?” on the page of the agent gives a new one by way of its website.';

/** Registers the agent in a form that was posted without scripts, or renders the page with the form and its errors. */
export const registerByForm: PageRenderer['registerByForm'] = async (request, { fields, managementKey }) => {
  const values = readFormData(fields);
  if (!fields.has(TERMS_FIELD)) {
    return render(request, { status: 400, values, errors: {}, message: 'Please agree to the terms.' });
  }
  const honeypot = fields.get(HONEYPOT_FIELD);
  const result = await request.call('agents.register', {
    ...toNewAgentInput(values),
    ...(honeypot && { [HONEYPOT_FIELD]: honeypot }),
  });
  if ('data' in result) {
    const { id, name, category } = result.data as Agent;
    const isHeld = result.status === HELD_STATUS;
    const link = toManageLink(id, managementKey);
    const page = await render(request, { status: 201, registered: { id, name, category, isHeld, link } });
    // No cache may keep the link.
    return { ...page, isComplete: false };
  }
  const { status } = result.failure;
  const refused = toRefusedForm(result.failure, values);
  return render(request, { ...refused, status, message: status === 422 ? SENT_BEFORE : refused.message });
};

/** Renders the page with the registration form filled in from an address. */
export const prefillByForm: PageRenderer['prefillByForm'] = async (request, fields) => {
  const url = fields.get('url') ?? '';
  const result = await request.call('prefill.read', { url: addScheme(url.trim()) });
  const found = 'data' in result ? (result.data as Prefill) : undefined;
  const { values, filled } = found ? fillIn(initialValues, found) : { values: initialValues, filled: {} };
  const status = 'failure' in result ? result.failure.status : 200;
  const redirect = found?.redirectsTo ? ` It redirects to ${found.redirectsTo}, which you can try instead.` : '';
  const message = 'failure' in result ? `${result.failure.detail}.` : describeFilled(filled) + redirect;
  const page = await render(request, { status, values, errors: {}, message, prefilled: { filled, url } });
  // No cache may keep it: a link or a crawler must not make us fetch.
  return { ...page, isComplete: false };
};

/** Changes, withdraws or reports an agent as its page's form says, or renders the page with the form and its errors. */
export const manageByForm: PageRenderer['manageByForm'] = async (request, form) => {
  const { id, action, fields } = form;
  switch (action) {
    case 'edit':
      return edit(request, form);
    case 'withdraw':
      return withdraw(request, id);
    case 'report':
      return report(request, id, fields);
  }
};

async function edit(request: RenderRequest, form: ManageForm) {
  const { id, fields } = form;
  const found = await request.call('agents.get', { id });
  if ('failure' in found) return editUnlisted(request, form);
  const agent = found.data as Agent;
  const values = readFormData(fields, toFormValues(agent));
  const result = await request.call('agents.update', { id, ...toPatch(agent, values) });
  if ('data' in result) {
    return { location: toAgentPath(id) + (result.status === HELD_STATUS ? WAITING_HASH : '') };
  }
  const { status } = result.failure;
  const refused = toRefusedForm(result.failure, values);
  return render(request, { ...refused, status, message: explainRefusal(status, refused.message) });
}

/** Shows its owner the form of an agent that is not listed, and saves its edits if it has been shown before. */
async function editUnlisted(request: RenderRequest, { id, fields, asOwner }: ManageForm): Promise<RenderedPage> {
  const found = await asOwner.call('agents.get', { id });
  if ('failure' in found) {
    const { status, detail } = found.failure;
    return render(request, { status, message: status === 404 ? WRONG_UNLISTED : `${detail}.` });
  }
  const agent = found.data as Agent;
  const reason = found.headers.get(REFUSAL_HEADER);
  if (!fields.has(VERSION_FIELD)) {
    const message = reason ? `This entry was refused: ${decodeURIComponent(reason)}` : UNLISTED_WAITS;
    return renderUnlisted(asOwner, { status: 200, values: toFormValues(agent), errors: {}, message, isNote: true });
  }
  const values = readFormData(fields, toFormValues(agent));
  const result = await asOwner.call('agents.update', { id, ...toPatch(agent, values) });
  if ('data' in result) {
    const saved = toFormValues(result.data as Agent);
    const message = `Saved. ${UNLISTED_WAITS}`;
    return renderUnlisted(asOwner, { status: 200, values: saved, errors: {}, message, isNote: true });
  }
  const { status } = result.failure;
  const refused = toRefusedForm(result.failure, values);
  return renderUnlisted(asOwner, { ...refused, status, message: explainRefusal(status, refused.message) });
}

const UNLISTED_WAITS = 'This entry waits for review: only you see it, with its key.';
const WRONG_UNLISTED = 'No entry that waits for review has this address and this key.';

/** Renders the form of an agent that is not listed. */
async function renderUnlisted(asOwner: RenderRequest, posted: Refused): Promise<RenderedPage> {
  // No cache may keep it.
  return { ...(await render(asOwner, posted)), isComplete: false };
}

async function withdraw(request: RenderRequest, id: string) {
  const result = await request.call('agents.withdraw', { id });
  if ('data' in result) return { location: toAgentPath(id) };
  return render(request, { status: result.failure.status, message: `${result.failure.detail}.` });
}

async function report(request: RenderRequest, id: string, fields: URLSearchParams) {
  const result = await request.call('agents.report', { id, reason: fields.get('reason'), text: fields.get('text') });
  if ('data' in result) return { location: toAgentPath(id) + REPORTED_HASH };
  return render(request, { status: result.failure.status, message: `${result.failure.detail}.` });
}

function explainRefusal(status: number, message: string): string {
  if (status !== 412) return message;
  return 'This entry was changed meanwhile. Below is what you have typed. Save it again to replace the entry with it.';
}

function toRefusedForm(
  { detail, errors: fieldErrors = [] }: Extract<CallResult, { failure: unknown }>['failure'],
  values: RegisterFormValues,
): RefusedForm {
  const errors = toFormErrors(fieldErrors);
  const hasErrors = Object.keys(errors).length > 0;
  return { values, errors, message: hasErrors ? 'Please correct what is marked below.' : `${detail}.` };
}

/** A posted form that was refused, with the values of its fields if it is that of an agent. */
type Refused = { status: number; message: string } & Partial<RefusedForm>;

/** A posted form that has registered an agent. */
type Accepted = { status: number; registered: RegisteredByForm };

async function render(request: RenderRequest, posted?: Refused | Accepted): Promise<RenderedPage> {
  const { origin, ardUrl, registration, template, siteConfig } = request;
  const url = toUrl(request);
  const link = createProcedureLink(request.call);
  const [data, total] = await Promise.all([
    loadPageData(url, createApi(link, createQueryClient()), siteConfig),
    withTimeout(request.countAgents()),
  ]);
  const refused = posted && 'message' in posted ? posted : undefined;
  const { status: _, ...refusedForm } = refused ?? {};
  const state: PageState = {
    // Pages of agents are right for a directory of any size.
    site: {
      origin,
      isPaged: total === undefined || total > MAX_FULL_LIST,
      registration,
      today: readToday(),
      ...(refused && !refused.prefilled && { refusal: refused.message }),
      ...(posted && 'registered' in posted && { registered: posted.registered }),
    },
    ...(siteConfig.isCustom && { config: siteConfig }),
    entries: data.entries,
    ...(refused?.values && { refusedForm: refusedForm as RefusedForm }),
  };
  const location = { pathname: url.pathname, search: url.search };
  const { head, body } = splitHead(await request.renderMarkup({ location, state }));
  const html = template
    .replace('<!--head-->', () => head + toSocialMetaTags(data, { origin, ardUrl, siteConfig }))
    .replace('<!--page-->', () => body)
    .replace(
      '<!--state-->',
      () =>
        (siteConfig.isCustom ? renderSymbols(siteConfig) : '') +
        toDataElement('application/json', state, PAGE_STATE_ID),
    );
  return { status: posted?.status ?? data.status, html, isComplete: data.isComplete && total !== undefined };
}

/** Builds the URL of the page. */
function toUrl({ origin, url }: RenderRequest): URL {
  const [path = '', ...query] = url.split('?');
  // URL resolves dot segments, which the router takes for names.
  const pathname = path.replaceAll(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replaceAll(/\.|%2e/gi, '%252e'));
  return Object.assign(new URL(origin), { pathname, search: query.join('?') });
}

/** The context of a call, as `RestContext` in the browser. */
type CallContext = { onHeaders?: (headers: AnswerHeaders) => void };

/** Creates a terminating tRPC link that calls the procedures in this process. */
function createProcedureLink(call: RenderRequest['call']): TRPCLink<AppRouter> {
  return () =>
    ({ op: { path, input, context } }) =>
      observable((observer) => {
        void call(path as EndpointName, input).then((result) => {
          if ('failure' in result) {
            const { status, detail } = result.failure;
            observer.error(TRPCClientError.from(new RestError(status, detail)));
            return;
          }
          (context as CallContext).onHeaders?.(result.headers);
          observer.next({ result: { type: 'data', data: result.data } });
          observer.complete();
        });
      });
}

/** Splits off the elements of the head, which React renders first. React escapes every `>` in text. */
function splitHead(markup: string): { head: string; body: string } {
  const [head] = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)*/.exec(markup) ?? [''];
  return { head, body: markup.slice(head.length) };
}
