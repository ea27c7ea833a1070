import { API_REFERENCE_PATH } from '@agent-registry/contracts';

/** The name of the registry in `User-Agent` and in robots.txt files. */
export const PRODUCT = 'AgentRegistry';

/** The id of the section of docs/api.md, in the API reference, that explains the requests of the registry. */
const REQUESTS_SECTION = 'requests-to-websites';

export function toUserAgent(origin: string): string {
  return `${PRODUCT} (+${origin}${API_REFERENCE_PATH}#${REQUESTS_SECTION})`;
}
