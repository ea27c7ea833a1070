import type { Call } from './document.ts';

/** A request, from which the example of each language is written. */
export type ExampleRequest = {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body?: unknown;
};

/** Creates the example of a call: with its required parameters, and the example of its body. */
export function toExampleRequest({ method, path, operation }: Call, origin: string): ExampleRequest {
  const { parameters = [], requestBody, security = [] } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const exampleOf = (name: string) =>
    required.find((parameter) => parameter.name === name)?.schema.examples?.[0] ?? name;
  const url = new URL(origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)));
  for (const { in: place, name } of required) if (place === 'query') url.searchParams.set(name, exampleOf(name));
  // A call that can be sent without a key has an empty alternative.
  const needsKey = security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
  const headers = required.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  return {
    method,
    url: url.href,
    headers: [
      ...(needsKey ? [['Authorization', 'Bearer <key>'] as [string, string]] : []),
      ...headers.map((name): [string, string] => [name, '<key>']),
    ],
    body: requestBody?.content?.['application/json']?.example,
  };
}

/** Writes a request as a curl command. */
export function toCurl({ method, url, headers, body }: ExampleRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isImplied ? '' : `--request ${method} `}${quote(url)}`,
    ...headers.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--json ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** Writes a request as a JavaScript module, for browsers and Node. */
export function toJavaScript(request: ExampleRequest): string {
  const { method, url, body } = request;
  const headers = withContentType(request).map(([name, value]) => `    '${name}': '${value}',`);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`]),
  ];
  return [
    `const response = await fetch('${url}'${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`,
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
    'console.log(await response.json());',
  ].join('\n');
}

/** Writes a request as a Python script, with the standard library only. */
export function toPython(request: ExampleRequest): string {
  const { method, url, body } = request;
  const headers = withContentType(request).map(([name, value]) => `        "${name}": "${value}",`);
  const options = [
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === undefined ? [] : [`    data=json.dumps(${indent(toPythonValue(body), '    ')}).encode(),`]),
  ];
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    options.length > 0 ? `request = Request(\n    "${url}",\n${options.join('\n')}\n)` : `request = Request("${url}")`,
    'with urlopen(request) as response:',
    '    print(json.load(response))',
  ].join('\n');
}

function withContentType({ headers, body }: ExampleRequest): [string, string][] {
  return body === undefined ? headers : [...headers, ['Content-Type', 'application/json']];
}

/** JSON with the names that Python has for null, true and false. */
function toPythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `  ${JSON.stringify(name)}: ${toPythonValue(field)},`);
  return `{\n${fields.join('\n')}\n}`;
}

function indent(text: string, by = '  '): string {
  return text.replaceAll('\n', `\n${by}`);
}
