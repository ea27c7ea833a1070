/** Web addresses without a user name; the punctuation of the sentence around one is no part of it. */
const WEB_ADDRESS = /https?:\/\/(?![^\s/?#]*@)[^\s<>"]*[^\s<>".,;:!?'’”)\]}]/giu;

/** A text of an agent's owner with its web addresses as links. */
export function LinkedText({ children }: { children: string }) {
  const parts = [];
  let end = 0;
  for (const { 0: address, index } of children.matchAll(WEB_ADDRESS)) {
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
