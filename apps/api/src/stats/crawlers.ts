import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

// Programs that people run; isbot counts them among the bots.
const PROGRAMS =
  /^(curl|wget|httpie|python|aiohttp|node|undici|axios|got|go-http-client|okhttp|java|apache-httpclient|deno|bun|postmanruntime|insomnia|libwww-perl|guzzlehttp|ruby|dart)\b/i;

// The same few come again and again, and to tell them costs more than all else about a ready answer.
const known = new LRUCache<string, boolean>({ max: 1_000 });

/** Whether a User-Agent is that of a crawler. A script and a browser without a window are none. */
export function isCrawler(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false;
  let answer = known.get(userAgent);
  if (answer === undefined) {
    answer = !PROGRAMS.test(userAgent) && isbot(userAgent.replace('HeadlessChrome', 'Chrome'));
    known.set(userAgent, answer);
  }
  return answer;
}
