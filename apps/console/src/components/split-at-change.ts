/** Splits two texts into the words with which both begin and end, and what is different between them. */
export function splitAtChange(before: string, after: string) {
  const [former, latter] = [before, after].map((text) => text.split(/(?<=\s)/u)) as [string[], string[]];
  const shorter = Math.min(former.length, latter.length);
  let first = 0;
  while (first < shorter && former[first] === latter[first]) first += 1;
  let last = 0;
  while (last < shorter - first && former.at(-1 - last) === latter.at(-1 - last)) last += 1;
  return {
    start: former.slice(0, first).join(''),
    removed: former.slice(first, former.length - last).join(''),
    added: latter.slice(first, latter.length - last).join(''),
    end: former.slice(former.length - last).join(''),
  };
}
