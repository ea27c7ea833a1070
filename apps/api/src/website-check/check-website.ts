import { CHALLENGE_META, CHALLENGE_PATH, type WebsiteProof } from '@agent-registry/contracts';
import { Parser } from 'htmlparser2';
import { RedirectError, type GuardedFetch, type WebsiteResponse } from './guarded-fetch.ts';
import { isSharedHost } from './shared-hosts.ts';

/** How long a check may take, in milliseconds. */
const CHECK_TIMEOUT = 5_000;

/**
 * The result of a check: what the challenge proves, or why it proves nothing. `unreachable` has no details, so that
 * strangers cannot explore networks.
 */
export type WebsiteCheckResult = WebsiteProof | 'missing' | 'redirected' | 'unreachable';

/** Looks for a challenge at a website. */
export type CheckWebsite = (check: {
  /** The website as it is listed. */
  website: string;
  /** The page that explains the request; it is named in `User-Agent`. */
  explainedAt: string;
  /** Whether a text is the challenge. */
  accepts: (text: string) => boolean;
}) => Promise<WebsiteCheckResult>;

/** Creates the check, which fetches the challenge file and, without the challenge in it, the listed page. */
export function createWebsiteCheck(fetch: GuardedFetch, timeout: number = CHECK_TIMEOUT): CheckWebsite {
  return async function checkWebsite({ website, explainedAt, accepts }) {
    const options = { userAgent: `AgentRegistry (+${explainedAt})`, signal: AbortSignal.timeout(timeout) };
    const page = new URL(website);
    const failures: WebsiteCheckResult[] = [];
    const sources = [
      {
        url: new URL(CHALLENGE_PATH, page),
        readTexts: readLines,
        proof: isSharedHost(page.hostname) ? 'page' : 'host',
      },
      { url: page, readTexts: readMetaContents, proof: 'page' },
    ] as const;
    for (const { url, readTexts, proof } of sources) {
      try {
        const response = await fetch(url, options);
        if (response.status === 200 && readTexts(response).some(accepts)) return proof;
        failures.push('missing');
      } catch (error) {
        failures.push(error instanceof RedirectError ? 'redirected' : 'unreachable');
      }
    }
    return failures.find((failure) => failure === 'missing') ?? failures[0] ?? 'missing';
  };
}

function readLines({ text }: WebsiteResponse): string[] {
  return text.split('\n').map((line) => line.trim());
}

/** The elements that can come before the last `<meta>` of a head. */
const HEAD_ELEMENTS = new Set([
  'html',
  'head',
  'base',
  'link',
  'meta',
  'noscript',
  'script',
  'style',
  'template',
  'title',
]);

/**
 * Reads the challenges in the head of a page. What follows the head can be the text of the website's visitors, as can
 * texts within scripts and attributes, which only a parser tells from elements.
 */
function readMetaContents({ type, text: html }: WebsiteResponse): string[] {
  // A website may show uploads of its visitors under other types.
  if (type !== 'text/html') return [];
  const contents: string[] = [];
  let isInHead = true;
  const parser = new Parser({
    onopentag(name, { name: metaName, content }) {
      isInHead &&= HEAD_ELEMENTS.has(name);
      if (isInHead && name === 'meta' && metaName === CHALLENGE_META && content) contents.push(content.trim());
    },
    onclosetag(name, isImplied) {
      if (name === 'head' && !isImplied) isInHead = false;
    },
  });
  parser.end(html);
  return contents;
}
