import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { postJson, type Sent, type Target } from './flood.ts';

/** A server to attack. */
export type Attack = Target & { /** The ids of the agents in the registry. */ ids: readonly string[] };

/** Takes one item after the other, again and again. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

/** Reads pages and searches that no cache holds. */
export function readUncached({ ids }: Attack) {
  return (index: number): Sent => ({
    path: pick([`/agent/${pick(ids, index)}`, `/?q=word${index}`, `/api/search?q=word${index}`], index),
  });
}

/** A page of a search whose words are all misspelled. */
export function searchMisspelled(index: number): Sent {
  const words = ['assistnt', 'resarch', 'sumary', 'traslation', 'calender', 'invoce', 'custmer', 'planing', 'anaysis'];
  return { path: `/?q=${[...words, `documnt${index}`].join('+')}` };
}

/** Ten searches in one request. */
export function searchInBatches(index: number): Sent {
  const inputs = Array.from({ length: 10 }, (_, call) => [call, { q: `assistnt${index} dta${call}` }]);
  const input = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)));
  return { path: `/trpc/${Array<string>(10).fill('agents.search').join(',')}?batch=1&input=${input}` };
}

/** 12 kB of media types that no response has. */
const LONG_ACCEPT = Array.from({ length: 480 }, (_, index) => `application/x-${1_000 + index};q=0.9`).join(',');

/** Requests that are refused in several ways, each with an `Accept` header whose types would have to be compared. */
export function sendLongAccept(index: number): Sent {
  const sent = pick<Sent>(
    [
      { path: `/api/none${index}` },
      { path: `/api/agents/${index}` },
      { path: `/api/agents?limit=x${index}` },
      { path: '/api/agents', method: 'PUT' },
      { path: `/agent/${index}/badge.svg` },
    ],
    index,
  );
  return { ...sent, headers: { accept: LONG_ACCEPT } };
}

/** Registrations as long as may be, of words that no other agent has, from eleven addresses. */
export function registerNewWords(index: number): Sent {
  let next = index * 1_000;
  const toText = (length: number) =>
    Array.from({ length: Math.floor((length + 1) / 7) }, () => `w${((next += 1) + 1e7).toString(36)}`).join(' ');
  const agent = makeNewAgent({
    name: toText(100),
    description: toText(2_000),
    capabilities: Array.from({ length: 30 }, () => toText(60)),
  });
  return { ...postJson('/api/agents', agent), from: `127.0.4.${1 + (index % 11)}` };
}

/** Reads and registrations in all forms, under invented addresses. */
export function inventForms({ ids }: Attack) {
  return (index: number): Sent => {
    const id = pick(ids, index);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = pick<Sent>(
      [
        { path: `/agent/${id}/` },
        { path: `/agent/${id}?x=${index}`, method: 'HEAD' },
        { path: `/api/search?q=word${index}` },
        searchInBatches(index),
        { path: '/', method: 'POST', headers: form, body: `name=&terms=on&x=${index}` },
        postJson('/api/agents', { name: index }),
        postJson('/trpc/agents.register?batch=1', { 0: {} }),
      ],
      index,
    );
    const forged = `203.0.113.${index % 256}`;
    const headers = { 'x-forwarded-for': forged, forwarded: `for=${forged}`, 'x-real-ip': forged };
    return { ...sent, headers: { ...sent.headers, ...headers } };
  };
}
