import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

// Scripts that people run are not crawlers, although isbot counts them as bots.
const PROGRAMS =
  /^(curl|wget|httpie|python|aiohttp|node|undici|axios|got|go-http-client|okhttp|java|apache-httpclient|deno|bun|postmanruntime|insomnia|libwww-perl|guzzlehttp|ruby|dart)\b/i;

// The same few user agents come again and again, and isbot's pattern is slow.
const known = new LRUCache<string, boolean>({ max: 1_000 });

/** Whether a User-Agent is a crawler's. Scripts and headless browsers are not crawlers. */
export function isCrawler(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false;
  let answer = known.get(userAgent);
  if (answer === undefined) {
    answer = !PROGRAMS.test(userAgent) && isbot(userAgent.replace('HeadlessChrome', 'Chrome'));
    known.set(userAgent, answer);
  }
  return answer;
}
