import { isbot } from 'isbot';

// Programs that people run; isbot counts them among the bots.
const PROGRAMS =
  /^(curl|wget|httpie|python|aiohttp|node|undici|axios|got|go-http-client|okhttp|java|apache-httpclient|deno|bun|postmanruntime|insomnia|libwww-perl|guzzlehttp|ruby|dart)\b/i;

/** Whether a User-Agent is that of a crawler. A script and a browser without a window are none. */
export function isCrawler(userAgent: string | undefined): boolean {
  return userAgent !== undefined && !PROGRAMS.test(userAgent) && isbot(userAgent.replace('HeadlessChrome', 'Chrome'));
}
