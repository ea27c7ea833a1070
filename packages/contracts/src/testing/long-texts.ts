import { fields, MAX_WEBSITE_LENGTH } from '../fields.ts';
import { MAX_PASTE_LENGTH, MAX_SEARCH_LENGTH } from '../request-limits.ts';

/** A text of any length: a unit, again and again, between a start and an end. */
export type LongText = { unit: string; start?: string; end?: string };

const signs = Array.from(' \t\n-_.,:;!?\'"()[]{}<>@/\\&#%+=*|~^$`aZ1éßŉİ中あ한ก👍\u0301\u200D\uFE0F\u{E0100}');
/** Signs that normalising, folding or writing in capitals makes longer: NFKC makes 18 of U+FDFA. */
const lengthened = ['\uFDFA', '\uFB03', '\u3300', '\u0390', '\u1E9B\u0323', '\u1D160', 'a\u0316\u0301', '\u0F73\u0F71'];
const operators = [
  '-a ',
  '"a" ',
  '"a ',
  '-"a b" ',
  'name:a ',
  'category:a,',
  'capability:"a" ',
  'by:a.b ',
  'like:a ',
  'pricing:free ',
  'api:yes ',
  'not a ',
  'no no ',
  'without a, ',
  'nor a or b ',
  'alternative to a ',
  'a alternatives ',
  ' but ',
  'a like b ',
  'a@',
  '@a.',
  'a@b.c ',
  '1-',
  '+1 ',
  'http://',
  'https://a.b/ ',
  'https://a@',
  'www.a.',
  '%41%ff',
  '::ffff:',
  '127.0.',
  '<a ',
  '</a>',
  '<!--',
  '&#x1;',
  '[a](',
  '![a]',
  '> ',
  '- ',
  '1. ',
  '`a`',
  '| ',
  '\r\n',
  'a,',
  'a;',
  'aB',
  'a1',
  'a中',
  'a/b;q=0.9,',
  '"a",',
  'W/"a", ',
  '{"a":',
  '[[',
  'a\\"',
  'Bearer ',
  'for=a;',
  'gzip;q=0,',
];

/** Texts on which an expression or a parser takes longest that reads parts of them again and again. */
export const longTexts: readonly LongText[] = [
  ...[...signs, ...lengthened, ...operators].map((unit) => ({ unit })),
  ...[' ', '\n', '.', 'a', ' -a', ' "a"', ' a:', '@'].map((unit) => ({ start: 'x api:yes ', unit, end: '! x' })),
  { start: 'https://a.b/', unit: ')' },
  { start: 'a@', unit: 'a.', end: '1' },
  { start: '1.', unit: 'W10' },
];

const paired = Array.from(' -.,:"(@/\\<&%+=a1中\u0301\uFDFA');
/** The texts of each two signs in turn. */
export const pairedTexts: readonly LongText[] = paired.flatMap((one) =>
  paired.flatMap((other) => (one === other ? [] : { unit: one + other })),
);

/** A request with a text. */
export type TextRequest = { method: string; path: string; headers?: Record<string, string>; body?: string };

/** A place of a request that takes a text of anybody. */
export type Entrance = {
  name: string;
  /** The lengths to try: that of the longest text that is not refused, in characters, and what any request has room for. */
  lengths: readonly { max: number; of: (text: string) => number }[];
  toRequest: (text: string) => TextRequest;
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** Room in the address, the headers and the body of a request, in bytes. */
const [ADDRESS, HEADERS, BODY] = [8_000, 12_000, 65_000];

const bytes = (text: string) => new TextEncoder().encode(text).length;
const inJson = (text: string) => bytes(JSON.stringify(text)) - 2;
const inAddress = (text: string) => encodeURIComponent(text.toWellFormed()).length;
const inCharacters = (text: string) => Array.from(text).length;
const upTo = (characters: number | undefined) =>
  characters === undefined ? [] : [{ max: characters, of: inCharacters }];

/** The longest text of at most a length. */
export function toLongText(
  { unit, start = '', end = '' }: LongText,
  max: number,
  of: (text: string) => number,
): string {
  return start + unit.repeat(Math.max(0, Math.floor((max - of(start + end)) / of(unit)))) + end;
}

function parameter(path: string, name: string, characters?: number, headers = {}): Entrance {
  return {
    name: `${name} of GET ${path}${'accept' in headers ? ' in Markdown' : ''}`,
    lengths: [...upTo(characters), { max: ADDRESS - path.length - name.length, of: inAddress }],
    toRequest: (text) => {
      const value = encodeURIComponent(text.toWellFormed());
      return { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`, headers };
    },
  };
}

function formField(path: string, name: string, others: Record<string, string>, characters?: number): Entrance {
  return {
    name: `${name} of the form ${path}`,
    lengths: [...upTo(characters), { max: BODY - 400, of: inAddress }],
    toRequest: (text) => {
      const body = String(new URLSearchParams({ ...others, [name]: text }));
      return { method: 'POST', path, headers: FORM, body };
    },
  };
}

function jsonField(path: string, name: string, toBody: (text: string) => unknown, characters?: number): Entrance {
  return {
    name: `${name} of POST ${path}`,
    lengths: [...upTo(characters), { max: BODY - 400, of: inJson }],
    toRequest: (text) => ({ method: 'POST', path, headers: ACCEPT_MCP, body: JSON.stringify(toBody(text)) }),
  };
}

const ACCEPT_MCP = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
const MARKDOWN = { accept: 'text/markdown' };
const NAME = 100;
const CAPABILITY = 60;
const filters = ['pricing', 'apiAccess', 'proved', 'since'] as const;
const listParameters = [...filters, 'sort', 'limit', 'after', 'before', 'position'] as const;
const agentFields = { name: NAME, description: 2_000, contactEmail: 254, website: MAX_WEBSITE_LENGTH, category: 40 };
const choices = { pricingModel: fields.pricingModel.default, apiAccess: fields.apiAccess.default };
const agent = { name: 'A', description: 'A', category: 'chatbot', contactEmail: 'a@example.com', ...choices };
const form = { ...agent, capabilities: 'a', exampleTasks: 'Does one thing', website: '', terms: 'on' };
const callTool = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Lists the places that take a text of anybody; the readers of files of others are not among them. */
export function listEntrances(id: string): Entrance[] {
  const agentForm = `/agent/${id}?manage=`;
  return [
    ...[undefined, MARKDOWN].flatMap((headers) => [
      parameter('/', 'q', MAX_SEARCH_LENGTH, headers),
      parameter('/', 'capability', CAPABILITY, headers),
      parameter('/', 'compare', 150, headers),
      // 50 ids with commas between.
      parameter('/', 'keep', 1_850, headers),
      ...['category', 'correct', 'view', ...listParameters].map((name) => parameter('/', name, undefined, headers)),
    ]),
    parameter(`/agent/${id}`, 'manage'),
    ...['/api/agents', '/api/search?q=a', '/api/agents/category/chatbot'].flatMap((path) => [
      parameter(path, 'capability', CAPABILITY),
      ...listParameters.map((name) => parameter(path, name)),
    ]),
    parameter('/api/agents', 'website', MAX_WEBSITE_LENGTH),
    ...['/api/search', '/api/facets', '/api/suggest', '/feed.xml', '/feed.json'].map((path) =>
      parameter(path, 'q', MAX_SEARCH_LENGTH),
    ),
    ...['/api/facets', '/feed.xml'].flatMap((path) => [
      parameter(path, 'capability', CAPABILITY),
      ...['category', ...filters].map((name) => parameter(path, name)),
    ]),
    ...['after', 'limit', 'include'].map((name) => parameter('/api/changes', name)),
    ...['pageSize', 'pageToken', 'filter'].map((name) => parameter('/ard/agents', name)),
    parameter('/trpc/agents.search', 'input'),
    parameter('/nowhere', 'x'),
    ...['/agent/', '/api/agents/', '/ard/agents/', '/nowhere/', '/assets/'].map((path): Entrance => ({
      name: `the path below ${path}`,
      lengths: [{ max: ADDRESS - path.length, of: inAddress }],
      toRequest: (text) => ({ method: 'GET', path: path + encodeURIComponent(text.toWellFormed()) }),
    })),
    ...[
      'accept',
      'accept-language',
      'accept-encoding',
      'authorization',
      'if-none-match',
      'origin',
      'range',
      'cookie',
    ].map((name): Entrance => ({
      name: `the header ${name}`,
      lengths: [{ max: HEADERS, of: bytes }],
      toRequest: (text) => ({ method: 'GET', path: '/', headers: { [name]: text.replaceAll(/[^ -~]/g, '*') } }),
    })),
    ...Object.entries({ ...agentFields, capabilities: 30 * CAPABILITY, exampleTasks: 600, terms: 2, other: 2 }).flatMap(
      ([name, characters]) => [
        formField('/', name, form, characters),
        formField(`${agentForm}edit`, name, { ...form, key: 'k' }, characters),
      ],
    ),
    formField('/?paste', 'q', {}, MAX_PASTE_LENGTH),
    ...['category', 'capability', 'after'].map((name) => formField('/?paste', name, { q: 'a' })),
    formField('/?prefill', 'url', {}),
    ...['key', 'version'].map((name) => formField(`${agentForm}edit`, name, form)),
    formField(`${agentForm}report`, 'text', { reason: 'other' }, 1_000),
    ...Object.entries(agentFields).map(([name, characters]) =>
      jsonField('/api/agents', name, (text) => ({ ...agent, [name]: text }), characters),
    ),
    jsonField('/api/agents', 'capabilities', (text) => ({ ...agent, capabilities: [text] }), CAPABILITY),
    jsonField('/api/agents', 'exampleTasks', (text) => ({ ...agent, exampleTasks: [text] }), 120),
    jsonField('/api/agents', 'an unknown field', (text) => ({ ...agent, [text]: text })),
    jsonField(`/api/agents/${id}/reports`, 'text', (text) => ({ reason: 'other', text }), 1_000),
    jsonField('/api/prefill', 'url', (url) => ({ url })),
    jsonField('/ard/search', 'text', (text) => ({ query: { text } }), MAX_SEARCH_LENGTH),
    jsonField('/ard/search', 'tags', (text) => ({ query: { text: 'a', filter: { tags: [text], type: text } } })),
    jsonField('/mcp', 'query', (query) => callTool('search_agents', { query }), MAX_SEARCH_LENGTH),
    jsonField('/mcp', 'capability', (capability) => callTool('search_agents', { query: 'a', capability }), CAPABILITY),
    jsonField('/mcp', 'cursor', (cursor) => callTool('search_agents', { query: 'a', cursor })),
    jsonField('/mcp', 'id', (text) => callTool('get_agent', { id: text })),
    jsonField('/mcp', 'a name', (text) => callTool(text, {})),
    jsonField('/trpc/agents.register', 'description', (description) => ({ ...agent, description }), 2_000),
  ];
}
