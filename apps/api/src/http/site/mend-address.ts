import {
  COMPARE_PARAMETER,
  isAgentId,
  parseCompared,
  parseShared,
  toAgentPath,
  toComparePath,
  toSharedPath,
} from '@agent-registry/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NO_STORE } from '../cache/response-cache.ts';

const AGENT_PATH = /^\/agent\/([^?#]*)/i;
const LIST_PATH = /^\/?\?(keep|compare)=([^&#]*)/;
/** A sign that people, chats and mail put around an address. */
const SIGN = /[\p{P}\p{S}\p{Z}\p{C}]/u;
/** How often an address may have been escaped. */
const MAX_ESCAPES = 3;

/** The address of a page before a chat, mail or proxy changed it; undefined if it is sound, or is no page's. */
export function mendAddress(url: string): string | undefined {
  if (isSound(url)) return undefined;
  const text = decode(url);
  const agent = strip(AGENT_PATH.exec(text)?.[1] ?? '');
  if (isAgentId(agent)) return toAgentPath(agent.toLowerCase());
  const [, kind, given = ''] = LIST_PATH.exec(text) ?? [];
  const ids = given
    .split(/[,\s]+/)
    .map(strip)
    .filter(Boolean);
  if (ids.length > 0 && ids.every(isAgentId))
    return kind === COMPARE_PARAMETER ? toComparePath(ids) : toSharedPath(ids);
  const home = text.replace(/^\/?\?/, '/?').replace(/(?<=[?&]category=)[^&#]*/, strip);
  return home.startsWith('/?') && home !== url && isSound(home) ? home : undefined;
}

export async function redirectMended({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const mended = mendAddress(url);
  if (mended === undefined) return undefined;
  return reply.header('cache-control', NO_STORE).redirect(encodeURI(mended), 308);
}

function isSound(url: string): boolean {
  const agent = AGENT_PATH.exec(url)?.[1];
  if (agent !== undefined) return isAgentId(agent.replace(/\/$/, ''));
  if (!/^\/(?:\?|$)/.test(url)) return false;
  const params = new URLSearchParams(url.slice(2));
  const ids = [...parseCompared(params), ...(parseShared(params) ?? [])];
  const areBare = params.getAll('category').every((category) => category === strip(category));
  return ids.every(isAgentId) && areBare && !url.includes('&amp;');
}

/** Undoes escapes, those of HTML included, until there is none. */
function decode(url: string): string {
  let text = url;
  for (let round = 0; round < MAX_ESCAPES; round += 1) {
    try {
      text = decodeURIComponent(text.replaceAll('&amp;', '&'));
    } catch {
      return text;
    }
  }
  return text;
}

/** Takes off the signs around a text, in linear time. */
function strip(text: string): string {
  const characters = Array.from(text);
  const isOther = (character: string) => !SIGN.test(character);
  return characters.slice(Math.max(0, characters.findIndex(isOther)), characters.findLastIndex(isOther) + 1).join('');
}
