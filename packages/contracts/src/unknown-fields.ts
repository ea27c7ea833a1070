import type { core } from 'zod/mini';
import { shortenText } from './characters.ts';
import { HONEYPOT_FIELD } from './fields.ts';

export const MAX_NAMED_FIELDS = 10;

/** The message for a registration that is invalid as a whole, not in one of its fields. */
export function describeInvalidAgent(
  issue: core.$ZodRawIssue<core.$ZodIssueInvalidType | core.$ZodIssueUnrecognizedKeys>,
): string {
  if (issue.code !== 'unrecognized_keys') return 'The agent must be a JSON object';
  const { keys } = issue;
  if (keys.includes(HONEYPOT_FIELD)) {
    return `The field ${HONEYPOT_FIELD} is hidden from people and filled in by bots. Leave it out`;
  }
  const named = keys.slice(0, MAX_NAMED_FIELDS).map(nameUnknownField);
  const rest = keys.length > named.length ? ` and ${keys.length - named.length} more` : '';
  return `These fields are not accepted: ${named.join(', ')}${rest}`;
}

/** The name of an unknown field for an error message: at most 40 characters, U+FFFD for invisible ones. */
export function nameUnknownField(key: string): string {
  return shortenText(key.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{FFFD}'), 40, 160);
}
