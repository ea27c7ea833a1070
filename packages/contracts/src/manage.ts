import { toAgentPath } from './page-paths.ts';

export const MANAGEMENT_KEY_HEADER = 'Management-Key';
/** The fewest different characters of a management key; a random one has 17 or more. */
const MIN_DIFFERENT = 10;
export const ownerActions = ['edit', 'withdraw', 'key'] as const;

export type OwnerAction = (typeof ownerActions)[number];
/** The form that an agent's page shows: one for its owner, or the one for reports; the value of its query parameter. */
export type ManageAction = OwnerAction | 'report';

export const MANAGE_PARAMETER = 'manage';
/** The query parameter of the home page to which the form that fills in a registration is posted without scripts. */
export const PREFILL_PARAMETER = 'prefill';
/** The parameter of the home page to which a text is posted that is too long for the address of a search. */
export const PASTE_PARAMETER = 'paste';
/** The hash of the address of a search for the most telling words of such a text. */
export const PASTED_HASH = '#pasted';
/** The fields of these forms with the management key, and with the time of the last edit that their values come from. */
export const [KEY_FIELD, VERSION_FIELD] = ['key', 'version'];
/** The forms that browsers post without scripts. A lost key is replaced with scripts only. */
export const postedActions = ['edit', 'withdraw', 'report'] as const satisfies readonly ManageAction[];

export type PostedAction = (typeof postedActions)[number];

export function toManagePath(id: string, action: ManageAction): string {
  return `${toAgentPath(id)}?${MANAGE_PARAMETER}=${action}`;
}

/** Reads which form is shown from the query of an agent's page; undefined for none, null for one that does not exist. */
export function readManageAction(query: URLSearchParams): ManageAction | undefined | null {
  // A parameter that is repeated becomes a text with a blank, which is no action.
  const value = query.getAll(MANAGE_PARAMETER).join(' ').trim();
  if (value === '') return undefined;
  return [...ownerActions, 'report' as const].find((action) => action === value) ?? null;
}

/** Reads what a posted form does from its value of the query parameter; undefined for any other than one of these. */
export function readPostedAction(value: unknown): PostedAction | undefined {
  return postedActions.find((action) => action === value);
}

/** Returns the path of the link with which an owner manages an agent. Browsers do not send what follows the `#`. */
export function toManageLink(id: string, key: string): string {
  return `${toAgentPath(id)}#${MANAGE_PARAMETER}=${key}`;
}

export function readManagementKey(text: string): string | undefined {
  const [, key = ''] = /(?:^|#manage=)([\w-]{43})$/.exec(text.trim()) ?? [];
  return isManagementKey(key) ? key : undefined;
}

/** The path at which the owner of a website puts challenges, one a line. */
export const CHALLENGE_PATH = '/.well-known/agent-registry.txt';
export const CHALLENGE_META = 'agent-registry';

/** Whether a text can be a management key: 43 base64url characters, ten of them different. */
export function isManagementKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && new Set(text).size >= MIN_DIFFERENT;
}

export function createManagementKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
}
