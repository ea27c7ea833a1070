import type {
  CallResult,
  ManageForm,
  PageRenderer,
  RenderRequest,
  RenderedPage,
} from '@agent-registry/api/page-renderer';
import {
  addScheme,
  HONEYPOT_FIELD,
  MAX_UNITS,
  rowOf,
  toAgentPath,
  toManageLink,
  toMaxUnits,
  VERSION_FIELD,
  type Agent,
  type Prefill,
} from '@agent-registry/contracts';
import {
  findPastedErrors,
  initialValues,
  readFormData,
  TERMS_FIELD,
  toFormErrors,
  toFormValues,
  toNewAgentInput,
  toPatch,
  validate,
  type RegisterFormErrors,
  type RegisterFormValues,
} from '../components/agent-form/form-values.ts';
import { describeFilled, fillIn } from '../components/agent-form/prefill-values.ts';
import { REPORTED_HASH, WAITING_HASH } from '../components/Notice.tsx';
import { renderPage, type Refused } from './render-page.ts';

const CORRECT_FIELDS = 'Please correct what is marked below.';
const UNLISTED_WAITS = 'This entry waits for review: only you see it, with its key.';
const WRONG_UNLISTED = 'No entry that waits for review has this address and this key.';

const explanations: Partial<Record<number, string>> = {
  412: 'This entry was changed meanwhile. Below is what you have typed. Save it again to replace the entry with it.',
  // The first response has the link, and nobody else may get it.
  422: 'This form was sent before, and the agent is registered. Its management link was in the first response. If it is lost, “Is this your agent?” on the page of the agent gives a new one by way of its website.',
};

export const registerByForm: PageRenderer['registerByForm'] = async (request, { fields, managementKey }) => {
  const values = readFormData(fields);
  if (!fields.has(TERMS_FIELD)) {
    const message = 'Please agree to the terms.';
    return renderPage(request, { status: 400, values: cutValues(values), errors: {}, message });
  }
  const refused = refusePasted(findPastedErrors(values), values);
  if (refused) return renderPage(request, refused);
  const honeypot = fields.get(HONEYPOT_FIELD);
  const result = await request.call('agents.register', {
    ...toNewAgentInput(values),
    ...(honeypot && { [HONEYPOT_FIELD]: honeypot }),
  });
  if ('data' in result) {
    const { id, name, category } = result.data as Agent;
    const { isHeld = false } = result;
    const link = toManageLink(id, managementKey);
    const page = await renderPage(request, { status: 201, registered: { id, name, category, isHeld, link } });
    // No cache may keep the link.
    return { ...page, isComplete: false };
  }
  return renderPage(request, toRefusedForm(result.failure, values));
};

export const prefillByForm: PageRenderer['prefillByForm'] = async (request, fields) => {
  const url = fields.get('url')?.slice(0, MAX_UNITS + 1) ?? '';
  const result = await request.call('prefill.read', { url: addScheme(url.trim()) });
  const found = 'data' in result ? (result.data as Prefill) : undefined;
  const { values, filled } = found ? fillIn(initialValues, found) : { values: initialValues, filled: {} };
  const status = 'failure' in result ? result.failure.status : 200;
  const redirect = found?.redirectsTo ? ` It redirects to ${found.redirectsTo}, which you can try instead.` : '';
  const message = 'failure' in result ? `${result.failure.detail}.` : describeFilled(filled, found ?? {}) + redirect;
  const page = await renderPage(request, { status, values, errors: {}, message, prefilled: { filled, url } });
  // No cache may keep it: a link or a crawler must not make us fetch.
  return { ...page, isComplete: false };
};

export const manageByForm: PageRenderer['manageByForm'] = async (request, form) => {
  const { id, action, fields } = form;
  if (action === 'edit') return edit(request, form);
  const isReport = action === 'report';
  const result = isReport
    ? await request.call('agents.report', { id, reason: fields.get('reason'), text: fields.get('text') })
    : await request.call('agents.withdraw', { id });
  if ('data' in result) return { location: toAgentPath(id) + (isReport ? REPORTED_HASH : '') };
  return renderPage(request, { status: result.failure.status, message: `${result.failure.detail}.` });
};

async function edit(request: RenderRequest, form: ManageForm) {
  const { id } = form;
  const found = await request.call('agents.get', { id });
  if ('failure' in found) return editUnlisted(request, form);
  const result = await save(request, form, found.data as Agent);
  if ('data' in result) return { location: toAgentPath(id) + (result.isHeld ? WAITING_HASH : '') };
  return renderPage(request, result.refused);
}

async function save(request: RenderRequest, { id, fields }: ManageForm, agent: Agent) {
  const values = readFormData(fields, toFormValues(agent));
  const patch = toPatch(agent, values);
  const refused = refusePasted('connections' in patch ? findPastedErrors(values) : {}, values);
  if (refused) return { refused };
  const result = await request.call('agents.update', { id, ...patch });
  return 'data' in result ? result : { refused: toRefusedForm(result.failure, values) };
}

/** Shows its owner the form of an agent that is not listed, and saves its edits if it has been shown before. */
async function editUnlisted(request: RenderRequest, form: ManageForm): Promise<RenderedPage> {
  const { asOwner, fields } = form;
  const found = await asOwner.call('agents.get', { id: form.id });
  if ('failure' in found) {
    const { status, detail } = found.failure;
    return renderPage(request, { status, message: status === 404 ? WRONG_UNLISTED : `${detail}.` });
  }
  const agent = found.data as Agent;
  if (!fields.has(VERSION_FIELD)) {
    const message = found.refusal ? `This entry was refused: ${found.refusal}` : UNLISTED_WAITS;
    return renderUnlisted(asOwner, { status: 200, values: toFormValues(agent), errors: {}, message, isNote: true });
  }
  const result = await save(asOwner, form, agent);
  if ('refused' in result) return renderUnlisted(asOwner, result.refused);
  const saved = toFormValues(result.data as Agent);
  const message = `Saved. ${UNLISTED_WAITS}`;
  return renderUnlisted(asOwner, { status: 200, values: saved, errors: {}, message, isNote: true });
}

async function renderUnlisted(asOwner: RenderRequest, posted: Refused): Promise<RenderedPage> {
  // No cache may keep it.
  return { ...(await renderPage(asOwner, posted)), isComplete: false };
}

/** Refuses a form with connections that cannot be read, which a call would drop. */
function refusePasted(errors: RegisterFormErrors, values: RegisterFormValues): Refused | undefined {
  if (Object.keys(errors).length === 0) return undefined;
  return {
    status: 400,
    values: cutValues(values),
    errors: { ...validate(values), ...errors },
    message: CORRECT_FIELDS,
  };
}

function toRefusedForm(
  { status, detail, errors: fieldErrors = [] }: Extract<CallResult, { failure: unknown }>['failure'],
  values: RegisterFormValues,
): Refused {
  const errors = toFormErrors(fieldErrors);
  const hasErrors = Object.keys(errors).length > 0;
  const message = hasErrors ? CORRECT_FIELDS : (explanations[status] ?? `${detail}.`);
  return { status, values: cutValues(values), errors, message };
}

/** Cuts values that are too long for their fields, so that rendering them is bounded; they stay too long. */
function cutValues(values: RegisterFormValues): RegisterFormValues {
  const entries = Object.entries(values).map(([name, value]) => {
    const row = rowOf(name);
    const maxUnits = row && 'bounds' in row && row.kind !== 'texts' ? toMaxUnits(row.bounds.max) : MAX_UNITS;
    return [name, value.slice(0, maxUnits + 1)];
  });
  return Object.fromEntries(entries) as RegisterFormValues;
}
