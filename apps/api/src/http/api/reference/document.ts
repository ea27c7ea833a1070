/** A reference to a component, such as `#/components/schemas/Agent`. */
type Reference = { $ref?: string };

/** The part of a JSON schema that the reference shows. */
export type Schema = Reference & {
  type?: string | string[];
  const?: string;
  enum?: (string | null)[];
  format?: string;
  default?: string | string[] | null;
  description?: string;
  examples?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
};

export type Body = { content?: { 'application/json'?: { schema: Schema; example?: unknown } } };
export type Header = Reference & { description?: string };
export type Response = Reference & Body & { description?: string; headers?: Record<string, Header> };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };

/** The part of an operation that the reference shows. */
export type Operation = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  security?: object[];
  responses: Record<string, Response>;
};

/** The part of an OpenAPI document that the reference shows. */
export type Document = {
  info: { title?: string; summary?: string; description?: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, Header>;
  };
};

/** A call: an operation with its method, in upper case, and its path. */
export type Call = { id: string; method: string; path: string; operation: Operation };

/** All calls of a document, in its order. */
export function listCalls({ paths }: Document): Call[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: operation.operationId ?? `${method}${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** The error statuses that every call can have. */
export function listCommonErrors(document: Document): string[] {
  const [first = [], ...others] = listCalls(document).map(({ operation }) => Object.keys(operation.responses));
  return first.filter((status) => Number(status) >= 400 && others.every((statuses) => statuses.includes(status)));
}

export function resolve<Component extends Reference>(
  component: Component,
  all: Record<string, Component> = {},
): Component {
  return all[toName(component.$ref) ?? ''] ?? component;
}

/** The name of the component that a reference leads to. */
export function toName($ref: string | undefined): string | undefined {
  return $ref?.split('/').at(-1);
}
