import { CARDS_PER_PAGE, type BrowseParams } from '@agent-registry/contracts';

/** The cards of three presses; beyond them a list offers to jump. */
export const LONG_LIST = 3 * CARDS_PER_PAGE;

/** Whether a list starts elsewhere than with its first agent. */
export function isPart({ after, before, from }: BrowseParams): boolean {
  return [after, before, from].some((start) => start !== undefined);
}
