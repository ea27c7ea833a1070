// The registration form validates with these schemas, so they use zod/mini, a third of the size.
import * as z from 'zod/mini';
import { type Category, type CategoryId, isCategoryId, listCategoryIds } from './category.ts';
import { toMaxUnits } from './characters.ts';
import { connectionsSchema, serverNameSchema } from './connections/connection-schema.ts';
import {
  editableFields,
  fields,
  MAX_WEBSITE_LENGTH,
  rowOf,
  valuesOf,
  type EditableField,
  type Fields,
  type OptionField,
  type TextsField,
} from './fields.ts';
import { formatCount } from './format.ts';
import { normalizeLineEndings, findHiddenText, findTextFault, isVisible, type TextBounds } from './plain-text.ts';
import { MANAGE_PARAMETER } from './manage.ts';
import { describeInvalidAgent } from './unknown-fields.ts';
import { isLoopback, isWebAddress, keepsHost } from './website.ts';

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

export function optionalText(row: Parameters<typeof text>[0]) {
  return z.optional(
    z.pipe(
      z.transform((given: string) => (typeof given === 'string' && given.trim() === '' ? undefined : given)),
      z.optional(text(row)),
    ),
  );
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

/** Blank entries ("a,,b") are dropped and the others counted before any is checked: thousands of issues hold up the loop. */
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

function optionalTexts(name: TextsField) {
  return z.optional(
    z.pipe(
      texts(name),
      z.transform((given) => (given.length > 0 ? given : undefined)),
    ),
  );
}

/** HTML's rule for e-mail fields, with a dot in the domain, and without dots that mail servers refuse. */
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

/** What is wrong with a website, as the end of a sentence; undefined if nothing is, and for an empty text. */
function findWebsiteFault(value: string): string | undefined {
  if (value === '') return undefined;
  if (/\p{Bidi_Control}/u.test(value)) return 'must not have characters that change the direction of writing';
  if (!isWebAddress(value)) return 'must be an http or https address without a user name, such as https://example.com';
  const hidden = findHiddenText(value, true);
  if (hidden !== undefined) return hidden;
  const { hostname, hash, href } = new URL(value);
  if (isLoopback(value)) return 'must be an address that others can reach, not localhost or a loopback address';
  if (!keepsHost(value)) return `must name its host as browsers read it: ${hostname}`;
  if (hash.startsWith(`#${MANAGE_PARAMETER}=`))
    return 'must not be a management link: everybody who reads it could change the entry';
  return href.length > MAX_WEBSITE_LENGTH ? `${WEBSITE_LENGTH}, of which some are written as several` : undefined;
}

const WEBSITE_LENGTH = `can have at most ${formatCount(MAX_WEBSITE_LENGTH)} characters`;

// A missing website is null; the form sends an empty text. An address is kept as the URL parser writes it.
const websiteSchema = z.nullable(
  z.pipe(
    z.string('Website must be text').check(
      z.trim(),
      z.maxLength(MAX_WEBSITE_LENGTH, { error: `Website ${WEBSITE_LENGTH}`, abort: true }),
      z.refine((value) => findWebsiteFault(value) === undefined, {
        error: ({ input }) => `Website ${findWebsiteFault(input as string)}`,
      }),
    ),
    z.transform((value) => (value === '' ? null : new URL(value).href)),
  ),
);

/** Any category: those of the registry are known to `createNewAgentSchema`. */
const anyCategorySchema: z.ZodMiniType<CategoryId, CategoryId> = z
  .string('Category is required')
  .check(z.minLength(1, 'Category is required'));

const ofKind = {
  category: anyCategorySchema,
  connections: connectionsSchema,
  slug: serverNameSchema,
  email: contactEmailSchema,
  address: z._default(websiteSchema, null),
};

type SchemaOf<Name extends EditableField> = Fields[Name] extends { kind: infer Kind extends keyof typeof ofKind }
  ? (typeof ofKind)[Kind]
  : Name extends OptionField
    ? ReturnType<typeof options<Name>>
    : Fields[Name] extends { kind: 'texts'; isOptional: true }
      ? ReturnType<typeof optionalTexts>
      : Name extends TextsField
        ? z.ZodMiniDefault<ReturnType<typeof texts>>
        : Fields[Name] extends { isOptional: true }
          ? ReturnType<typeof optionalText>
          : ReturnType<typeof text>;

function toSchema(name: EditableField): z.ZodMiniType {
  const row = rowOf(name);
  switch (row?.kind) {
    case 'options':
      return options(name as OptionField);
    case 'texts':
      return row.isOptional ? optionalTexts(name as TextsField) : z._default(texts(name as TextsField), []);
    case 'text':
      return row.isOptional ? optionalText(row) : text(row);
    default:
      return ofKind[row?.kind as keyof typeof ofKind];
  }
}

const fieldSchemas = Object.fromEntries(editableFields.map((name) => [name, toSchema(name)])) as {
  [Name in EditableField]: SchemaOf<Name>;
};

/** A registration with any category. Unknown fields are refused by name. */
export const newAgentSchema = z.strictObject(fieldSchemas, { error: describeInvalidAgent });

export function createNewAgentSchema(categories: readonly Category[]) {
  return z.extend(newAgentSchema, { category: createChosenCategorySchema(categories) });
}

export type NewAgent = z.output<typeof newAgentSchema>;
/** A registration as a client sends it: fields with defaults are optional. */
export type NewAgentInput = z.input<typeof newAgentSchema>;

export function describeUnknownCategory(categories: readonly Category[]): string {
  return `Category must be one of ${listCategoryIds(categories).join(', ')}`;
}

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
