import { findNamed } from './find-named.ts';
import { ranking } from './ranking.ts';
import type { TokenReader } from './token-index.ts';
import { FREE_ONLY } from './write-exclusions.ts';

/** Words for what is looked for: "tools like", "something similar to". */
const THINGS = String.raw`(?:something|anything|similar|others?|there|agents?|apps?|bots?|products?|programs?|services?|sites?|software|tools?|websites?)`;
/** Texts that ask for agents like another one. */
const ALTERNATIVES = [
  /\b(?:alternatives?|replacements?|substitutes?) (?:to|for|of) (?<name>.+)$/isu,
  new RegExp(String.raw`^(?:\S+ ){0,3}?(?:${THINGS} )*(?:like|similar to) (?<name>.+)$`, 'isu'),
  new RegExp(String.raw`^(?<name>.+?) (?:alternatives?|competitors?|similar ${THINGS})(?<after> .+)?$`, 'isu'),
  /^(?<name>.+?)(?<after> but .+)$/isu,
];
/** Where the end of a text begins that says more about the agents that are wanted than the name. */
const ADDITION = /,? (?:but|and|that is|which is|for)\b/iu;
/** Words before a name that are not part of it. */
const PRAISE = /^(?:(?:an?|any|best|cheap|free|good|open[- ]source|the) )+/iu;
const FREE = /\b(?:free|not paid|no cost)\b/iu;

/** Writes a text that asks for agents like another one with the operator `like:`; undefined if it does not. */
export async function writeAlternative(index: TokenReader, text: string): Promise<string | undefined> {
  const asked = text.replaceAll(/["?!]/gu, ' ').trim();
  let tried = 0;
  for (const pattern of ALTERNATIVES) {
    const { name: rest = '', after = '' } = pattern.exec(asked)?.groups ?? {};
    const [whole, cut] = [rest.trim(), rest.split(ADDITION, 1).join('').trim()];
    for (const name of new Set([whole, cut, cut.replace(PRAISE, '')])) {
      if (name === '' || tried === ranking.maxNamesTried) continue;
      tried += 1;
      if ((await findNamed(index, name)).length === 0) continue;
      const more = (rest.slice(rest.indexOf(name) + name.length) + after).replace(ADDITION, '').replace(FREE, '');
      const others = asked.replace(name, '');
      return [`like:"${name}"`, ...(FREE.test(others) ? [FREE_ONLY] : []), more.trim()].join(' ').trim();
    }
  }
  return undefined;
}
