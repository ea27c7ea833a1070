/**
 * Describes a time to wait, rounded up to a unit that people use.
 * @example describeWait(5_400) // '2 hours'
 */
export function describeWait(seconds: number): string {
  const [amount, unit] =
    seconds <= 60 ? [seconds, 'second'] : seconds <= 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour'];
  const whole = Math.ceil(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
