/** Web addresses without a user name, with the ASCII punctuation after them. */
const WEB_ADDRESS =
  /https?:\/\/(?![^\s\/?#]*@)[^\s<>"[[\p{Terminal_Punctuation}\p{Ps}\p{Pe}\p{Pi}\p{Pf}]--\p{ASCII}]]+/giv;
const PUNCTUATION = /[.,;:!?']|[\p{P}--\p{ASCII}]/v;
const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** A text of an agent's owner with its web addresses as links. */
export function LinkedText({ children }: { children: string }) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of children.matchAll(WEB_ADDRESS)) {
    const address = trimEnd(found);
    if (!URL.canParse(address)) continue;
    parts.push(
      children.slice(end, index),
      <a key={index} href={address} dir="ltr" target="_blank" rel="ugc nofollow noopener noreferrer">
        {address}
      </a>,
    );
    end = index + address.length;
  }
  return [...parts, children.slice(end)];
}

/** Leaves out the punctuation at the end, and brackets that are not opened in the address. */
function trimEnd(address: string): string {
  const characters = Array.from(address);
  const counts = new Map<string, number>();
  const count = (character: string) => counts.get(character) ?? 0;
  for (const character of characters) counts.set(character, count(character) + 1);
  for (let last = characters.at(-1); last !== undefined; last = characters.at(-1)) {
    const opening = OPENING[last];
    if (!PUNCTUATION.test(last) && (opening === undefined || count(opening) >= count(last))) break;
    counts.set(last, count(last) - 1);
    characters.pop();
  }
  return characters.join('');
}
