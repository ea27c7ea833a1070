// The registration form validates with these schemas, so they use zod/mini, a third of the size.
import * as z from 'zod/mini';
import { type Category, type CategoryId, isCategoryId, listCategoryIds } from './category.ts';
import { cutText, toMaxUnits } from './characters.ts';
import { connectionsSchema } from './connections/connection-schema.ts';
import {
  fields,
  HONEYPOT_FIELD,
  MAX_SERVER_NAME_LENGTH,
  MAX_WEBSITE_LENGTH,
  valuesOf,
  type EditableField,
  type OptionField,
  type TextsField,
} from './fields.ts';
import { formatCount } from './format-count.ts';
import { normalizeLineEndings, findHiddenText, findTextFault, isVisible, type TextBounds } from './plain-text.ts';
import { MANAGE_PARAMETER } from './manage.ts';
import { isLoopback, isWebAddress, keepsHost } from './website.ts';

/** The message for a value that is none of the options of a field. */
export const describeOptions = (name: OptionField) => ({
  error: `${fields[name].label} must be one of ${valuesOf(name).join(', ')}`,
});

function options<Name extends OptionField>(name: Name) {
  return z._default(z.enum(valuesOf(name), describeOptions(name)), fields[name].default);
}

/** A required text of several lines or one, trimmed and with line feeds. */
export function text({ label, bounds }: { label: string; bounds: TextBounds }) {
  return requiredText(label).check(...boundedText(label, bounds));
}

function requiredText(label: string) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? `${label} is required` : `${label} must be text`) })
    .check(z.overwrite(normalizeLineEndings), z.trim(), z.minLength(1, { error: `${label} is required`, abort: true }));
}

/** The checks of a text; the first says what JSON Schema can say. */
function boundedText(label: string, bounds: TextBounds) {
  const error = ({ input }: { input?: unknown }) => `${label} ${findTextFault(input as string, bounds)}`;
  return [
    z.maxLength(toMaxUnits(bounds.max), { error, abort: true }),
    z.refine<string>((value) => findTextFault(value, bounds) === undefined, { error, abort: true }),
  ] as const;
}

const WEBSITE_LENGTH = `Website can have at most ${formatCount(MAX_WEBSITE_LENGTH)} characters`;

/**
 * A list of texts. Blank entries ("a,,b") are dropped and the others counted before any is checked: thousands of issues
 * hold up the loop.
 */
function texts(name: TextsField) {
  const { label, entry, most, maxUnits, bounds } = fields[name];
  const each = `Each ${entry.toLowerCase()}`;
  const checked = z.string(`${each} must be text`).check(z.trim(), ...boundedText(each, bounds));
  return z.pipe(
    z.transform((entries: string[], { issues }) => {
      if (!Array.isArray(entries)) return entries;
      const filled = entries.filter((text) => typeof text !== 'string' || isVisible(text));
      if (filled.length > most) {
        const message = `An agent can have at most ${most} ${label.toLowerCase()}`;
        issues.push({ code: 'custom', message, input: entries });
      }
      return filled;
    }),
    z
      .array(checked, `${label} must be a list of texts`)
      .check(
        z.refine(
          (given) => given.join('').length <= maxUnits,
          `${label} must have fewer letters and emoji that are made of several parts`,
        ),
      ),
  );
}

/** A list of texts that is absent if there are none. */
function optionalTexts(name: TextsField) {
  return z.optional(
    z.pipe(
      texts(name),
      z.transform((given) => (given.length > 0 ? given : undefined)),
    ),
  );
}

/**
 * Whether a text is an address as HTML's rule for e-mail fields has it, of a domain with a dot, and without dots that
 * mail servers refuse: at either end of the name, or two in a row.
 */
export function isEmailAddress(value: string): boolean {
  return z.regexes.html5Email.test(value) && /@[^@]*\./.test(value) && !/^\.|\.\.|\.@/.test(value);
}

/** The message for a contact address that is none, such as one with a name, as mail programs copy it. */
function describeInvalidEmail(value: string): string {
  const [, address = ''] = /^[^<]*<([^<>]+)>$/.exec(value) ?? [];
  return isEmailAddress(address)
    ? `Contact email must be the address alone: ${address}`
    : 'Contact email must be an address such as name@example.com';
}

const contactEmailSchema = requiredText(fields.contactEmail.label).check(
  z.maxLength(fields.contactEmail.bounds.max, {
    error: `Contact email can have at most ${fields.contactEmail.bounds.max} characters`,
    abort: true,
  }),
  z.refine(isEmailAddress, { error: ({ input }) => describeInvalidEmail(input as string) }),
);

// A missing website is null; the form sends an empty text. An address is kept as the URL parser writes it.
const websiteSchema = z.nullable(
  z.pipe(
    z.string('Website must be text').check(
      z.trim(),
      z.maxLength(MAX_WEBSITE_LENGTH, { error: WEBSITE_LENGTH, abort: true }),
      z.refine((value) => !/\p{Bidi_Control}/u.test(value), {
        error: 'Website must not have characters that change the direction of writing',
        abort: true,
      }),
      z.refine((value) => value === '' || isWebAddress(value), {
        error: 'Website must be an http or https address without a user name, such as https://example.com',
        abort: true,
      }),
      z.refine((value) => findHiddenText(value, true) === undefined, {
        error: ({ input }) => `Website ${findHiddenText(input as string, true)}`,
        abort: true,
      }),
      z.refine((value) => value === '' || !isLoopback(value), {
        error: 'Website must be an address that others can reach, not localhost or a loopback address',
        abort: true,
      }),
      z.refine((value) => value === '' || keepsHost(value), {
        error: ({ input }) => `Website must name its host as browsers read it: ${new URL(input as string).hostname}`,
        abort: true,
      }),
      z.refine(
        (value) => value === '' || !new URL(value).hash.startsWith(`#${MANAGE_PARAMETER}=`),
        'Website must not be a management link: everybody who reads it could change the entry',
      ),
      z.overwrite((value) => (value === '' ? '' : new URL(value).href)),
      z.refine(
        (value) => value.length <= MAX_WEBSITE_LENGTH,
        `${WEBSITE_LENGTH}, of which some are written as several`,
      ),
    ),
    z.transform((value) => value || null),
  ),
);

const SERVER_NAME = 'MCP server name must be lower-case letters and digits with hyphens between, such as high-tides';

/** The last part of the name of an MCP server; absent without one. The form sends an empty text. */
const serverNameSchema = z.optional(
  z.pipe(
    z.string(SERVER_NAME).check(
      z.trim(),
      z.maxLength(MAX_SERVER_NAME_LENGTH, `MCP server name can have at most ${MAX_SERVER_NAME_LENGTH} characters`),
      z.refine((value) => /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$/.test(value), SERVER_NAME),
    ),
    z.transform((value) => value || undefined),
  ),
);

/** Any category: those of the registry are known to `createNewAgentSchema`. */
const anyCategorySchema: z.ZodMiniType<CategoryId, CategoryId> = z
  .string('Category is required')
  .check(z.minLength(1, 'Category is required'));

/** A registration with any category. Unknown fields are refused by name. */
export const newAgentSchema = z.strictObject(
  {
    name: text(fields.name),
    description: text(fields.description),
    category: anyCategorySchema,
    capabilities: z._default(texts('capabilities'), []),
    exampleTasks: optionalTexts('exampleTasks'),
    connections: connectionsSchema,
    serverName: serverNameSchema,
    contactEmail: contactEmailSchema,
    website: z._default(websiteSchema, null),
    pricingModel: options('pricingModel'),
    apiAccess: options('apiAccess'),
  } satisfies Record<EditableField, z.ZodMiniType>,
  { error: describeInvalidAgent },
);

/** Creates the schema of a registration with one of these categories. */
export function createNewAgentSchema(categories: readonly Category[]) {
  return z.extend(newAgentSchema, { category: createChosenCategorySchema(categories) });
}

/** How many unknown fields an error message names. */
export const MAX_NAMED_FIELDS = 10;

/** The message for a registration that is invalid as a whole, not in one of its fields. */
export function describeInvalidAgent(
  issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType | z.core.$ZodIssueUnrecognizedKeys>,
): string {
  return issue.code === 'unrecognized_keys' ? describeUnknownFields(issue.keys) : 'The agent must be a JSON object';
}

function describeUnknownFields(keys: readonly string[]): string {
  if (keys.includes(HONEYPOT_FIELD)) {
    return `The field ${HONEYPOT_FIELD} is hidden from people and filled in by bots. Leave it out`;
  }
  const named = keys.slice(0, MAX_NAMED_FIELDS).map(nameUnknownField);
  const rest = keys.length > named.length ? ` and ${keys.length - named.length} more` : '';
  return `These fields are not accepted: ${named.join(', ')}${rest}`;
}

/** The name of an unknown field for an error message: at most 40 characters, U+FFFD for invisible ones. */
export function nameUnknownField(key: string): string {
  const visible = key.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
  const shown = cutText(visible, 40, 160);
  return shown === visible ? shown : `${shown}…`;
}

/** A validated registration: trimmed, with defaults. */
export type NewAgent = z.output<typeof newAgentSchema>;
/** A registration as a client sends it: fields with defaults are optional. */
export type NewAgentInput = z.input<typeof newAgentSchema>;

/** The message for an unknown category. */
export function describeUnknownCategory(categories: readonly Category[]): string {
  return `Category must be one of ${listCategoryIds(categories).join(', ')}`;
}

/** The JSON schema of a category id. */
export function toCategoryMeta(categories: readonly Category[], description?: string) {
  const ids = listCategoryIds(categories);
  return { enum: ids, description, examples: description === undefined ? undefined : ids.slice(0, 1) };
}

/** Creates the schema of the category of a registration, with a message of its own for a missing one. */
export function createChosenCategorySchema(categories: readonly Category[]): z.ZodMiniType<CategoryId, CategoryId> {
  const unknown = describeUnknownCategory(categories);
  const schema = z.string({ error: ({ input }) => (input === undefined ? 'Category is required' : unknown) }).check(
    z.refine((text) => isCategoryId(categories, text), {
      error: ({ input }) => (input === '' ? 'Category is required' : unknown),
    }),
  );
  schema.register(z.globalRegistry, toCategoryMeta(categories));
  return schema;
}
