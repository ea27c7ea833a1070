/** The host of a website without `www.`; undefined for a text that is no address, which a stored agent may have. */
export function readHost(website: string): string | undefined {
  return URL.parse(website)?.host.replace(/^www\./, '');
}
