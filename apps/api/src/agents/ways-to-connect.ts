import { connectsOptions, type Connects } from '@agent-registry/contracts';

/** Ways to connect as the sum of the powers of 2 by their places in `connectsOptions`, for the column `connects`. */
export function toSum(ways: readonly Connects[]): number {
  return connectsOptions.reduce((sum, { value }, index) => sum + (ways.includes(value) ? 2 ** index : 0), 0);
}

/** The ways to connect of a sum. */
export function fromSum(sum: number): Connects[] {
  return connectsOptions.flatMap(({ value }, index) => (Math.floor(sum / 2 ** index) % 2 === 1 ? [value] : []));
}
