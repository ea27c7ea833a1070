/** The numbers and the words of a semantic version (semver.org); undefined for another text. */
function parse(version: string): { numbers: string[]; words: string[] } | undefined {
  const [, core, words] = /^(\d+\.\d+\.\d+)(?:-([\dA-Za-z.-]+))?(?:\+[\dA-Za-z.-]+)?$/.exec(version) ?? [];
  return core === undefined ? undefined : { numbers: core.split('.'), words: words?.split('.') ?? [] };
}

/**
 * Compares two versions by their precedence: more than 0 if the first one is later. Of versions that are not semantic the
 * first one is later: nobody knows their order.
 */
export function compareVersions(version: string, other: string): number {
  const [one, two] = [parse(version), parse(other)];
  if (!one || !two) return 1;
  const order = compareParts(one.numbers, two.numbers);
  if (order !== 0) return order;
  // One without words is the release.
  if (one.words.length === 0 || two.words.length === 0) return two.words.length - one.words.length;
  return compareParts(one.words, two.words);
}

function compareParts(parts: readonly string[], others: readonly string[]): number {
  for (const [index, part] of parts.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    const [isNumber, isOther] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    const isEqual = isNumber ? BigInt(part) === BigInt(other) : part === other;
    if (!isEqual) return (isNumber ? BigInt(part) > BigInt(other) : part > other) ? 1 : -1;
  }
  return parts.length - others.length;
}
