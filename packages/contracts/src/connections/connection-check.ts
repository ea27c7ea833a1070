import { describeDay, countOf } from '../format.ts';

/** What becomes of a check of a connection. */
export const checkResults = ['answered', 'sign-in', 'other', 'silent'] as const;

/** What became of a check of a connection. */
export type CheckResult = (typeof checkResults)[number];

/**
 * Says what became of a check, and when.
 * @example describeCheck({ result: 'answered', tools: 12, checkedAt }) // 'Answered with 12 tools on 24 November 2026.'
 */
export function describeCheck({
  result,
  tools,
  checkedAt,
}: {
  result: CheckResult;
  tools: number | null;
  checkedAt: string;
}): string {
  const what = {
    answered: tools === null ? 'Answered' : `Answered with ${countOf(tools, 'tool')}`,
    'sign-in': 'Asked for sign-in',
    other: 'Answered otherwise than expected',
    silent: 'Did not answer',
  }[result];
  return `${what} on ${describeDay(checkedAt)}.`;
}
