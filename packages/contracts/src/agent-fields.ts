/** Longest name of an agent, in characters as people see them; `toMaxUnits` bounds what these are made of. */
export const MAX_NAME_LENGTH = 100;
/** Longest description of an agent, in characters as people see them. */
export const MAX_DESCRIPTION_LENGTH = 2_000;
/** Most capabilities of one agent. */
export const MAX_CAPABILITIES = 30;
/** Longest single capability, in characters as people see them. */
export const MAX_CAPABILITY_LENGTH = 60;
/** Most example tasks of one agent. */
export const MAX_EXAMPLE_TASKS = 5;
/** Shortest single example task, in characters as people see them. */
export const MIN_EXAMPLE_TASK_LENGTH = 10;
/** Longest single example task, in characters as people see them. */
export const MAX_EXAMPLE_TASK_LENGTH = 120;
/** Longest contact address, in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;
/** Longest website address, in code points. */
export const MAX_WEBSITE_LENGTH = 2_048;

/** The honeypot: a field that the form hides from people and bots fill in. It belongs to no agent and is refused by name. */
export const HONEYPOT_FIELD = 'subject';

/** An option of a select field: its value on the wire and its label on the page. */
export type Option<Value extends string> = { value: Value; label: string };

/** The pricing models on the wire. */
export const pricingModelValues = ['free', 'freemium', 'paid', 'enterprise'] as const;
/** The kinds of API access on the wire. */
export const apiAccessValues = ['yes', 'no', 'planned'] as const;

/** The pricing model of an agent. */
export type PricingModel = (typeof pricingModelValues)[number];
/** Whether an agent has an API. */
export type ApiAccess = (typeof apiAccessValues)[number];

/** The pricing model of a registration without one. */
export const DEFAULT_PRICING_MODEL: PricingModel = 'free';
/** The API access of a registration without one. */
export const DEFAULT_API_ACCESS: ApiAccess = 'no';

/** The pricing models with their labels, in the order of the form. */
export const pricingModels: readonly Option<PricingModel>[] = [
  { value: 'free', label: 'Free' },
  { value: 'freemium', label: 'Freemium' },
  { value: 'paid', label: 'Paid' },
  { value: 'enterprise', label: 'Enterprise' },
];

/** The kinds of API access with their labels, in the order of the form. */
export const apiAccessOptions: readonly Option<ApiAccess>[] = [
  { value: 'yes', label: 'Yes - API Available' },
  { value: 'no', label: 'No API' },
  { value: 'planned', label: 'API Planned' },
];

const UUID =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/i;

/** Whether a text is a valid agent id; the same rule as `agentIdSchema`, without zod. */
export function isAgentId(text: string): boolean {
  return UUID.test(text);
}
