import { CHALLENGE_PATH, toManagePath, type Agent } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import type { CheckWebsite, WebsiteCheckResult } from './check-website.ts';
import type { Challenges } from './website-challenge.ts';

/** How often the website of an agent is checked within a day. */
const MAX_CHECKS = 5;
const DAY = 86_400_000;

/** A check of a website, for logs and metrics. */
export type WebsiteCheck = { agentId: string; host: string; result: WebsiteCheckResult };

/** Lets the owner of a website prove to be the owner of an agent that lists it. */
export type WebsiteClaims = {
  /**
   * Creates the challenge that the owner puts on the website.
   * @throws {TRPCError} with the code UNPROCESSABLE_CONTENT if the agent has no website.
   */
  createChallenge(agent: Agent, keyHash: string): { challenge: string; expiresAt: string };
  /**
   * Fetches the website once and returns its address.
   * @param origin where visitors reach the registry
   * @throws {TRPCError} UNPROCESSABLE_CONTENT if the challenge is not there, TOO_MANY_REQUESTS at the sixth check of a
   * day.
   */
  check(agent: Agent, keyHash: string, origin: string): Promise<string>;
};

/** Options of `createWebsiteClaims`. */
export type WebsiteClaimsOptions = {
  challenges: Challenges;
  checkWebsite: CheckWebsite;
  rateLimitStore: RateLimitStore;
  onChecked: (check: WebsiteCheck) => void;
};

/** Creates the claims of a registry. */
export function createWebsiteClaims(options: WebsiteClaimsOptions): WebsiteClaims {
  const { challenges, checkWebsite, rateLimitStore, onChecked } = options;

  return {
    createChallenge(agent, keyHash) {
      requireWebsite(agent);
      return challenges.create({ agentId: agent.id, keyHash });
    },
    async check(agent, keyHash, origin) {
      const website = requireWebsite(agent);
      const { used, resetsIn } = await rateLimitStore.increment(`website-check ${agent.id}`, MAX_CHECKS, DAY);
      if (used > MAX_CHECKS) {
        const hours = Math.ceil(resetsIn / 3_600_000);
        throw new TRPCError({
          code: 'TOO_MANY_REQUESTS',
          message: `This website was checked ${MAX_CHECKS} times within a day. Try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
        });
      }
      const subject = { agentId: agent.id, keyHash };
      const result = await checkWebsite({
        website,
        explainedAt: origin + toManagePath(agent.id, 'key'),
        accepts: (text) => challenges.accepts(text, subject),
      });
      const host = new URL(website).hostname;
      onChecked({ agentId: agent.id, host, result });
      if (result !== 'found') throw unprocessable(explain(result, host));
      return website;
    },
  };
}

function requireWebsite({ website }: Agent): string {
  if (website !== null) return website;
  throw unprocessable('This agent has no website that could prove who owns it');
}

function explain(result: Exclude<WebsiteCheckResult, 'found'>, host: string): string {
  if (result === 'redirected') return `${host} redirects to another host, which proves nothing`;
  if (result === 'unreachable') return `${host} could not be reached over https within 5 seconds`;
  return `The challenge is neither at https://${host}${CHALLENGE_PATH} nor in the head of the listed page, or it has expired`;
}

function unprocessable(message: string): TRPCError {
  return new TRPCError({ code: 'UNPROCESSABLE_CONTENT', message });
}
