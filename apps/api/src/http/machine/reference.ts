import { readFileSync } from 'node:fs';
import { API_REFERENCE_PATH, escapeXml, formatCount, OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import type { oas31 } from 'zod-openapi';
import { createDocument } from '../api/rest.ts';
import type { Surface } from '../api/surface.ts';
import { constantRoute } from '../cache/response-cache.ts';
import { escapeMarkdown, linkMarkdown, listMarkdown } from './markdown/escape-markdown.ts';

type Schema = oas31.SchemaObject;
type Body = { content?: { 'application/json'?: { schema: Schema; example?: unknown } } };
type Described = { description?: string };

type Operation = {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: (Described & { name: string; in: string; required?: boolean; schema: Schema })[];
  requestBody?: Body;
  security?: object[];
  responses: Record<string, Body & Described & { $ref?: string; headers?: object }>;
};

type Document = {
  info: { summary?: string; description?: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> } & Partial<Record<'responses' | 'headers', Record<string, Described>>>;
};

type Call = { title: string; method: string; path: string; operation: Operation };

const STYLES = readFileSync(new URL('./reference.css', import.meta.url), 'utf8');
// The build has a copy beside the bundle.
const guideUrl = new URL(
  import.meta.filename.endsWith('.ts') ? '../../../../../docs/api.md' : './api.md',
  import.meta.url,
);

const PLAIN_TEMPLATE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><!--head--></head><body><!--page--></body></html>';

const formats: Record<string, string> = {
  uuid: 'UUID',
  uri: 'web address',
  email: 'email address',
  'date-time': 'ISO 8601 in UTC',
};

/** Serves the API reference: the calls and the data of the OpenAPI document, and the guide in docs/api.md. */
export function registerReference(app: FastifyInstance, surface: Surface): void {
  const { cache, toOrigin } = surface;
  app.get(
    API_REFERENCE_PATH,
    constantRoute(
      cache,
      'text/html; charset=utf-8',
      async (request) => renderReference(await createDocument(surface), toOrigin(request), surface),
      toOrigin,
    ),
  );
}

/** Renders the reference in the HTML of the built web app, of whose scripts only that of the colour scheme stays. */
export async function renderReference(
  document: object,
  origin: string,
  { siteConfig: { name }, template = PLAIN_TEMPLATE }: Pick<Surface, 'siteConfig' | 'template'>,
): Promise<string> {
  const render = await loadMarkdown();
  const { overview, text } = writeReference(document as Document, origin);
  const head = `<title>API reference – ${escapeXml(name)}</title><meta name="description" content="The calls of the REST API of ${escapeXml(name)}."><style>${STYLES}</style>`;
  const page = `<a class="skip" href="#main">Skip to content</a>
<header><nav aria-label="Main"><a class="brand" href="/">${escapeXml(name)}</a><a href="/#browse">Browse Agents</a><a href="/#register">Register Agent</a></nav></header>
<main id="main" tabindex="-1"><h1>API reference</h1><nav aria-label="Calls">${render(overview)}</nav>${render(text)}</main>`;
  return template
    .replaceAll(/<script>.*?<\/script>/gs, (script) => (script.includes('color-scheme') ? script : ''))
    .replace('<!--head-->', () => head)
    .replace('<!--page-->', () => page)
    .replace('<!--state-->', '');
}

/** Imported late: most processes serve no reference. */
async function loadMarkdown(): Promise<(markdown: string) => string> {
  const [{ micromark }, { gfmTable, gfmTableHtml }] = await Promise.all([
    import('micromark'),
    import('micromark-extension-gfm-table'),
  ]);
  return (markdown) =>
    micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] }).replaceAll(
      /<h([23])>([^<]*)<\/h/g,
      (_, level: string, title: string) => `<h${level} id="${toSlug(title)}">${title}</h`,
    );
}

function toSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function writeReference({ info, tags, paths, components }: Document, origin: string) {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([given, operation]): Call => {
      const method = given.toUpperCase();
      return { title: `${method} ${path}`, method, path, operation };
    }),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    calls: calls.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }));
  const overview = groups.flatMap(({ name, calls: own }) => [
    `**${escapeMarkdown(name)}**`,
    listMarkdown(own.map(({ title, operation }) => `${linkTo(title)} ${escape(operation.summary)}`)),
  ]);
  // Its links to other documents lead nowhere here.
  const guide = readFileSync(guideUrl, 'utf8').replaceAll(/\[([^[\]]{1,99})\]\((?!#|https?:)[^()]{0,99}\)/g, '$1');
  const text = [
    escape(`${info.summary} ${info.description}`),
    `The ${linkMarkdown('OpenAPI document', OPENAPI_PATH)} says the same to programs.`,
    ...groups.flatMap(({ name, description, calls: own }) => [
      `## ${escapeMarkdown(name)}`,
      escape(description),
      ...own.flatMap((call) => writeCall(call, origin)),
    ]),
    '## Statuses',
    listMarkdown(listStatuses(calls, components)),
    '## Headers',
    listMarkdown(Object.entries(components.headers ?? {}).map(([name, header]) => writeItem(name, header))),
    '## Data',
    ...Object.entries(components.schemas).flatMap(writeSchema),
    guide.slice(guide.indexOf('## ')),
  ];
  return { overview: overview.join('\n\n'), text: text.join('\n\n') };
}

function writeCall(call: Call, origin: string): string[] {
  const { title, operation } = call;
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content?.['application/json'];
  const statuses = Object.entries(responses);
  const successes = statuses.filter(([status]) => Number(status) < 300);
  const [, { content, headers = {} } = {}] = successes[0] ?? [];
  const schema = content?.['application/json']?.schema;
  const errors = statuses.map(([status]) => status).filter((status) => Number(status) >= 300);
  return [
    `### ${escapeMarkdown(title)}`,
    escape(`${summary}. ${description}`),
    listMarkdown([
      ...parameters.map((parameter) =>
        writeItem(parameter.name, parameter, [
          `${parameter.in}${parameter.required ? ', required' : ''}`,
          describe(parameter.schema),
        ]),
      ),
      ...(body ? [`body: ${describe(body.schema)}`] : []),
    ]),
    '**Response**',
    listMarkdown([
      ...successes.map(([status, response]) => writeItem(status, response)),
      ...(schema ? [`data: ${describe(schema)}`] : []),
      `${linkTo('Headers', 'headers')}: ${Object.keys(headers).map(code).join(', ')}`,
      `other ${linkTo('Statuses', 'statuses')}: ${errors.map(code).join(', ')}`,
    ]),
    `\`\`\`sh\n${toCurl(call, origin)}\n\`\`\``,
  ];
}

function listStatuses(calls: readonly Call[], { responses }: Document['components']): string[] {
  const all = calls.flatMap(({ operation }) => Object.entries(operation.responses));
  const shared = new Map(all.map(([status, { $ref = '' }]) => [status, responses?.[toName($ref)]]));
  const sorted = [...shared].toSorted(([one], [other]) => Number(one) - Number(other));
  return sorted.flatMap(([status, response]) => (response ? writeItem(status, response) : []));
}

function writeSchema([name, { description, properties = {}, required = [] }]: [string, Schema]): string[] {
  const fields = Object.entries(properties as Record<string, Schema>).map(([field, schema]) =>
    writeItem(field, schema, [...(required.includes(field) ? [] : ['optional']), describe(schema)]),
  );
  return [`### ${name}`, escape(description), listMarkdown(fields)];
}

function writeItem(name: string, { description }: Described, notes: string[] = []): string {
  return `${code(name)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${escape(description)}`;
}

function describe(schema: Schema): string {
  const { $ref, type, additionalProperties } = schema;
  if ($ref !== undefined) return linkTo(toName($ref));
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ') + describeBounds(schema);
  if (schema.items) return `list of ${describe(schema.items as Schema)}${describeBounds(schema)}`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(
      ([field, value]) => `${code(field)} ${describe(value as Schema)}`,
    );
    return `object: ${fields.join('; ')}`;
  }
  if (typeof additionalProperties === 'object')
    return `object whose values are: ${describe(additionalProperties as Schema)}`;
  const types = [type].flat().map((one) => (one === 'string' ? (formats[schema.format ?? ''] ?? 'text') : one));
  return types.join(' or ') + describeBounds(schema);
}

function describeBounds({ minimum, maximum, minLength, maxLength, maxItems, default: value }: Schema): string {
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} character`,
    maxLength !== undefined && `at most ${formatCount(maxLength)} code points`,
    maxItems !== undefined && `at most ${maxItems}`,
    typeof value === 'string' && `by default ${code(value)}`,
  ];
  return bounds.flatMap((bound) => (bound === false ? [] : `, ${bound}`)).join('');
}

function toCurl({ method, path, operation }: Call, origin: string): string {
  const { parameters = [], requestBody, security = [] } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const exampleOf = (name: string) =>
    String(required.find((parameter) => parameter.name === name)?.schema.examples?.[0] ?? name);
  const url = new URL(origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)));
  for (const { in: place, name } of required) if (place === 'query') url.searchParams.set(name, exampleOf(name));
  // A call that can be sent without a key has an empty alternative.
  const needsKey = security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
  const headers = required.filter((parameter) => parameter.in === 'header').map(({ name }) => `${name}: <key>`);
  const body = requestBody?.content?.['application/json']?.example;
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isImplied ? '' : `--request ${method} `}${quote(url.href)}`,
    ...[...(needsKey ? ['Authorization: Bearer <key>'] : []), ...headers].map((header) => `--header ${quote(header)}`),
    ...(body === undefined ? [] : [`--json ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

const toName = ($ref: string) => $ref.split('/').at(-1) ?? '';
const linkTo = (title: string, label = title) => linkMarkdown(label, `#${toSlug(title)}`);
const code = (value: unknown) => `\`${String(value)}\``;
const escape = (text = '') => escapeMarkdown(text);
