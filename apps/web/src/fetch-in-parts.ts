/** A text that is shorter is read at once, in UTF-16 units; of a longer one parts of this length, a millisecond or two each. */
const PART = 50_000;
/** How long reading goes on before the browser may draw, in milliseconds. */
const MAX_TURN = 12;
/**
 * What stands between two agents of a list, and nowhere else: an agent holds no objects, and within a text each quotation mark
 * has a backslash before it.
 */
const BETWEEN = '},{"id":';

/** A fetch whose answers read long lists as JSON part by part, since a phone draws nothing while it reads two thousand agents. */
export const fetchInParts: typeof fetch = async (...call) => {
  const response = await fetch(...call);
  response.json = async () => parseInParts(await response.text());
  return response;
};

/** Parses JSON; where it is a long list of agents, the browser may draw in between. */
export async function parseInParts(json: string): Promise<unknown> {
  if (json.length < PART || !json.startsWith('[{"id":')) return JSON.parse(json);
  const list: unknown[] = [];
  let turnEnd = performance.now() + MAX_TURN;
  for (let begin = 1; begin < json.length;) {
    const between = json.indexOf(BETWEEN, begin + PART);
    const part = between === -1 ? json.slice(begin) : `${json.slice(begin, between + 1)}]`;
    list.push(...(JSON.parse(`[${part}`) as unknown[]));
    begin += part.length;
    // After the last part too: who has waited for the list does something with it.
    if (begin < json.length && performance.now() < turnEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turnEnd = performance.now() + MAX_TURN;
  }
  return list;
}
