import { MAX_UNITS } from './characters.ts';
import type { TextBounds } from './plain-text.ts';
import { textBounds } from './text-bounds.ts';

export const MAX_CAPABILITY_LENGTH = textBounds.capabilities.bounds.max;
export const MAX_SERVER_NAME_LENGTH = 60;
/** Longest website address, in code points. */
export const MAX_WEBSITE_LENGTH = 2_048;
/** The honeypot: a field that the form hides from people and bots fill in. It belongs to no agent and is refused by name. */
export const HONEYPOT_FIELD = 'subject';

export type Option<Value extends string> = { value: Value; label: string };

type Field = {
  label: string;
  /** Its name in histories and for operators, if that is another one. */
  short?: string;
  /** Whether the registry sets it; owners set the others. */
  isSet?: true;
  /** Who reads the values of its changes; of long ones and of connections only the latest are kept, of others none. */
  history?: 'public' | 'operators' | 'long';
  /** Whether its edits are reviewed wherever edits are: visitors run what it names. */
  isReviewed?: true;
  /** Whether it is absent if there is nothing to say; an empty list is. */
  isOptional?: true;
} & (
  | { kind: 'text' | 'slug' | 'email' | 'address'; bounds: TextBounds }
  | {
      kind: 'texts';
      entry: string;
      most: number;
      maxUnits: number;
      bounds: TextBounds;
      /** Between two texts as people write them: a comma between words, a line feed between sentences. */
      separator: ',' | '\n';
      title?: string;
    }
  | { kind: 'options'; options: readonly Option<string>[]; default: string }
  | { kind: 'id' | 'category' | 'number' | 'time' | 'proof' | 'connections' }
);

/** The fields of an agent, in the order of its JSON. */
export const fields = {
  id: { kind: 'id', label: 'Id', isSet: true },
  name: { kind: 'text', label: 'Name', bounds: textBounds.name, history: 'public' },
  description: { kind: 'text', label: 'Description', bounds: textBounds.description, history: 'long' },
  category: { kind: 'category', label: 'Category', history: 'public' },
  capabilities: {
    kind: 'texts',
    label: 'Capabilities',
    entry: 'Capability',
    ...textBounds.capabilities,
    maxUnits: MAX_UNITS,
    separator: ',',
    history: 'long',
  },
  exampleTasks: {
    kind: 'texts',
    label: 'Example tasks',
    entry: 'Example task',
    ...textBounds.exampleTasks,
    maxUnits: 2_400,
    separator: '\n',
    title: 'What it can do for you',
    isOptional: true,
    history: 'long',
  },
  connections: {
    kind: 'connections',
    label: 'Connections',
    short: 'Connects',
    isReviewed: true,
    isOptional: true,
    history: 'public',
  },
  serverName: {
    kind: 'slug',
    label: 'MCP server name',
    bounds: { max: MAX_SERVER_NAME_LENGTH, isLine: true },
    isOptional: true,
    history: 'public',
  },
  // The longest of RFC 5321.
  contactEmail: { kind: 'email', label: 'Contact email', bounds: { max: 254 }, history: 'operators' },
  website: { kind: 'address', label: 'Website', bounds: { max: MAX_WEBSITE_LENGTH }, history: 'public' },
  pricingModel: {
    kind: 'options',
    label: 'Pricing model',
    short: 'Pricing',
    options: [
      { value: 'free', label: 'Free' },
      { value: 'freemium', label: 'Freemium' },
      { value: 'paid', label: 'Paid' },
      { value: 'enterprise', label: 'Enterprise' },
    ],
    default: 'free',
    history: 'public',
  },
  apiAccess: {
    kind: 'options',
    label: 'API access',
    options: [
      { value: 'yes', label: 'Yes - API Available' },
      { value: 'no', label: 'No API' },
      { value: 'planned', label: 'API Planned' },
    ],
    default: 'no',
    history: 'public',
  },
  rating: { kind: 'number', label: 'Rating', isSet: true, history: 'operators' },
  reviewCount: {
    kind: 'number',
    label: 'Review count',
    short: 'Number of reviews',
    isSet: true,
    history: 'operators',
  },
  createdAt: { kind: 'time', label: 'Created at', isSet: true },
  updatedAt: { kind: 'time', label: 'Updated at', isSet: true, isOptional: true },
  websiteCheckedAt: {
    kind: 'time',
    label: 'Website checked at',
    short: 'Control of the website',
    isSet: true,
    isOptional: true,
    history: 'operators',
  },
  websiteProof: { kind: 'proof', label: 'Website proof', isSet: true, isOptional: true },
} as const satisfies Record<string, Field>;

export type Fields = typeof fields;
export type FieldName = keyof Fields;
type FieldLike<Row> = { [Name in FieldName]: Fields[Name] extends Row ? Name : never }[FieldName];
export type EditableField = Exclude<FieldName, FieldLike<{ isSet: true }>>;
/** A field that other formats and registries can describe: a contact is the owner's, and categories are each registry's. */
export type DescribedField = Exclude<EditableField, 'category' | 'contactEmail'>;
export type ListField = FieldLike<{ kind: 'texts' | 'connections' }>;
export type TextsField = FieldLike<{ kind: 'texts' }>;
export type OptionField = FieldLike<{ kind: 'options' }>;
/** A field that pages, comparisons and Markdown show as a fact: one of several values, or a text that may be left out. */
export type FactField = FieldLike<{ kind: 'options' } | { kind: 'text'; isOptional: true }>;
export type OptionValue<Name extends OptionField> = Fields[Name]['options'][number]['value'];
export type PricingModel = OptionValue<'pricingModel'>;
export type ApiAccess = OptionValue<'apiAccess'>;

export function rowOf(name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined;
}

const pick = <Name extends FieldName>(isPicked: (row: Field) => boolean) =>
  Object.entries<Field>(fields).flatMap(([name, row]) => (isPicked(row) ? [name as Name] : []));

export const fieldNames = /* @__PURE__ */ pick<FieldName>(() => true);
export const editableFields = /* @__PURE__ */ pick<EditableField>(({ isSet }) => !isSet);
export const reviewedFields = /* @__PURE__ */ pick<EditableField>(({ isReviewed }) => isReviewed === true);
export const describedFields = /* @__PURE__ */ pick<DescribedField>(
  ({ isSet, kind }) => !isSet && kind !== 'category' && kind !== 'email',
);
export const listFields = /* @__PURE__ */ pick<ListField>(({ kind }) => kind === 'texts' || kind === 'connections');
export const optionFields = /* @__PURE__ */ pick<OptionField>(({ kind }) => kind === 'options');
export const factFields = /* @__PURE__ */ pick<FactField>(
  ({ kind, isOptional }) => kind === 'options' || (kind === 'text' && isOptional === true),
);
/** The lists of sentences, which pages show below a heading of their own. */
export const sentenceFields = /* @__PURE__ */ pick<FieldLike<{ title: string }>>((row) => 'title' in row);
/** The fields whose former and new values everybody can read in the history of an agent. */
export const publicHistoryFields = /* @__PURE__ */ pick<FieldLike<{ history: 'public' }>>(
  ({ history }) => history === 'public',
);

export function valuesOf<Name extends OptionField>(name: Name): OptionValue<Name>[] {
  return fields[name].options.map(({ value }) => value);
}

export function labelOfField(name: string): string {
  const { label, short = label } = rowOf(name) ?? { label: name };
  return short;
}

/** The label of a field above its input or its value, such as `Pricing Model`. */
export function titleOf(name: FieldName): string {
  return fields[name].label.replaceAll(/ [a-z]/g, (start) => start.toUpperCase());
}

/** The value of a field as people read it: the label of an option, or the text itself. */
export function labelOfValue(name: string, value: string): string {
  const row = rowOf(name);
  const option = row?.kind === 'options' ? row.options.find((one) => one.value === value) : undefined;
  return option?.label ?? value;
}

/** A fact of an agent as people read it; undefined if it is left out. */
export function factOf(agent: { [Name in FactField]?: string | undefined }, name: FactField): string | undefined {
  const value = agent[name];
  return value && labelOfValue(name, value);
}

const UUID =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/i;

/** Whether a text is a valid agent id; the same rule as `agentIdSchema`, without zod. */
export function isAgentId(text: string): boolean {
  return UUID.test(text);
}
