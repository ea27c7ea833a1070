import {
  CHALLENGE_PATH,
  findRepository,
  hostOf,
  toManagePath,
  websiteProofs,
  type Agent,
  type WebsiteProof,
} from '@agent-registry/contracts';
import { clientKeys } from '../rate-limit/rate-limiter.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { RegistryError } from '../registry-error.ts';
import type { CheckWebsite, WebsiteCheckResult } from './check-website.ts';
import { awaitTurn, createCheckCounter, tooManyChecks } from './count-check.ts';
import { createHostLines, HostBusyError } from './host-lines.ts';
import { toSite } from '../shared-hosts.ts';
import type { Challenges } from './website-challenge.ts';

/** When a check of a busy host is tried again, in milliseconds. */
const BUSY_WAIT = 10_000;

/** A check of a website, for logs and metrics. */
export type WebsiteCheck = { agentId: string; host: string; result: WebsiteCheckResult };

/** A website, and what its owner proved to control. */
export type ProvedWebsite = { website: string; proof: WebsiteProof };

/** A client that asks for a check. */
export type Claimant = {
  /** The hash of the management key that the agent gets. */
  keyHash: string;
  /** The IP address of the client; an IPv6 /48 counts as one client. */
  address: string;
  /** Whether the client has the current management key of the agent. */
  isOwner: boolean;
  /** Where visitors reach the registry. */
  origin: string;
};

/** Lets the owner of a website prove to be the owner of an agent that lists it. */
export type WebsiteClaims = ReturnType<typeof createWebsiteClaims>;

export type WebsiteClaimsOptions = {
  challenges: Challenges;
  checkWebsite: CheckWebsite;
  rateLimitStore: RateLimitStore;
  onChecked: (check: WebsiteCheck) => void;
};

export function createWebsiteClaims(options: WebsiteClaimsOptions) {
  const { challenges, checkWebsite, rateLimitStore, onChecked } = options;
  const countCheck = createCheckCounter(rateLimitStore);
  const enterLine = createHostLines();

  return {
    /**
     * Creates the challenge that the owner puts on the website.
     * @throws {RegistryError} `unprocessable` if the agent has no website.
     */
    createChallenge(agent: Agent, keyHash: string): { challenge: string; expiresAt: string } {
      requireWebsite(agent);
      return challenges.create({ agentId: agent.id, keyHash });
    },
    /**
     * Fetches the website once and returns its address, and what the challenge there proves.
     * @throws {RegistryError} `unprocessable` if the challenge is not there, `too-many` beyond a limit.
     */
    async check(agent: Agent, claimant: Claimant): Promise<ProvedWebsite> {
      const { website, host } = requireWebsite(agent);
      const site = toSite(website);
      try {
        const result = await checkInTurn(agent.id, { website, site }, claimant);
        onChecked({ agentId: agent.id, host, result });
        if (isProof(result)) return { website, proof: result };
        throw new RegistryError('unprocessable', explain(result, { website, host }));
      } catch (error) {
        if (!(error instanceof HostBusyError)) throw error;
        throw tooManyChecks(`Other checks of ${site} are under way`, BUSY_WAIT);
      }
    },
  };

  async function checkInTurn(
    agentId: string,
    { website, site }: { website: string; site: string },
    { keyHash, address, isOwner, origin }: Claimant,
  ): Promise<WebsiteCheckResult> {
    const { client: ownClient, network } = clientKeys(address);
    const client = network ?? ownClient;
    const repository = findRepository(website);
    // A service has one line, in which each agent has a place. Entered first, so that a check without one is not counted.
    const place = enterLine(
      repository
        ? { site: repository.service, address, client, agent: agentId }
        : { site, address, client, agent: isOwner ? agentId : undefined },
    );
    try {
      await countCheck({ agentId, site, client });
      const subject = { agentId, keyHash };
      return await place.run(async () => {
        if (repository) await awaitTurn(rateLimitStore, repository.service);
        return checkWebsite({
          website,
          explainedAt: origin + toManagePath(agentId, 'key'),
          accepts: (text) => challenges.accepts(text, subject),
        });
      });
    } finally {
      place.leave();
    }
  }
}

function requireWebsite({ website }: Agent): { website: string; host: string } {
  const host = website === null ? undefined : hostOf(website);
  if (website !== null && host !== undefined) return { website, host };
  throw new RegistryError('unprocessable', 'This agent has no website that could prove who owns it');
}

function isProof(result: WebsiteCheckResult): result is WebsiteProof {
  return websiteProofs.some((proof) => proof === result);
}

function explain(
  result: Exclude<WebsiteCheckResult, WebsiteProof>,
  { website, host }: { website: string; host: string },
): string {
  const repository = findRepository(website);
  if (repository) {
    const { name, file } = repository;
    if (result === 'redirected') return `${name} has moved: list its present address first`;
    if (result === 'unreachable') return `${file} could not be read within 5 seconds. Try again later`;
    return `The challenge is not in ${file}, or it has expired. A new file may take minutes to show there`;
  }
  if (result === 'redirected') return `${host} redirects to another host, which proves nothing`;
  if (result === 'unreachable') return `${host} could not be reached over https within 5 seconds`;
  return `The challenge is neither at https://${host}${CHALLENGE_PATH} nor in the head of the listed page, or it has expired`;
}
