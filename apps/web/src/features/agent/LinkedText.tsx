/** Web addresses without a user name, with the ASCII punctuation after them. */
const WEB_ADDRESS =
  /https?:\/\/(?![^\s\/?#]*@)[^\s<>"[[\p{Terminal_Punctuation}\p{Ps}\p{Pe}\p{Pi}\p{Pf}]--\p{ASCII}]]+/giv;
const PUNCTUATION = /[.,;:!?']$|[\p{P}--\p{ASCII}]$/v;
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
  const last = address.at(-1) ?? '';
  const opening = OPENING[last];
  const isOpened = opening !== undefined && address.split(opening).length >= address.split(last).length;
  return PUNCTUATION.test(address) || (opening && !isOpened) ? trimEnd(address.slice(0, -1)) : address;
}
