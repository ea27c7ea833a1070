import {
  CHALLENGE_PATH,
  findRepository,
  hostOf,
  toClaimText,
  toManagePath,
  websiteProofs,
  type Agent,
  type WebsiteProof,
} from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { walk } from '../db/records.ts';
import { networkOf } from '../rate-limit/rate-limiter.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { RegistryError } from '../registry-error.ts';
import type { CheckWebsite, WebsiteCheckResult, Websites } from './check-website.ts';
import { awaitTurn, countCheck } from './count-check.ts';
import { coversHost, findSigner, provesWebsite, toDomain, type KeyPlace } from './domain-keys.ts';
import { createHostLines } from './host-lines.ts';
import { toSite } from '../hosts.ts';
import { toUserAgent } from './user-agent.ts';
import { isChallenge } from './website-challenge.ts';

const DAY = 86_400_000;

export type WebsiteCheck = { agentId: string; host: string; result: WebsiteCheckResult };

/**
 * A website, and the kind of proof that its owner controls it; undefined if that is only of its publisher's domain, whose key
 * counts while the agent has none.
 */
export type ProvedWebsite = { website: string | null; proof: WebsiteProof | undefined; key_hash?: null };

export type SignedClaim = { domain: string; method: KeyPlace; challenge: string; signature: string };

export type Claimant = {
  /** The hash of the management key that the agent gets. */
  keyHash: string;
  /** The IP address of the client; an IPv6 /48 counts as one client. */
  address: string;
  /** Whether the client has the current management key of the agent. */
  isOwner: boolean;
  origin: string;
};

/** Lets the owner of a website prove to be the owner of an agent that lists it. */
export type WebsiteClaims = ReturnType<typeof createWebsiteClaims>;

type ClaimsOptions = Pick<Websites, 'challenges' | 'checkWebsite' | 'readDomainKeys' | 'sharedHosts'> & {
  rateLimitStore: RateLimitStore;
  onChecked: (check: WebsiteCheck) => void;
};

export function createWebsiteClaims(options: ClaimsOptions) {
  const { challenges, checkWebsite, readDomainKeys, sharedHosts, rateLimitStore, onChecked } = options;
  const checkInLine = createHostLines('checks');

  return {
    /** @throws {RegistryError} `unprocessable` if the agent has neither a website nor a domain that publishes it */
    createChallenge(agent: Agent, keyHash: string, publisher?: string): { challenge: string; expiresAt: string } {
      if (publisher === undefined) requireWebsite(agent);
      return challenges.create(`${agent.id} ${keyHash}`);
    },
    /** @throws {RegistryError} `unprocessable` if the challenge is not there, `too-many` beyond a limit */
    async check(agent: Agent, claimant: Claimant): Promise<ProvedWebsite> {
      const { website, host } = requireWebsite(agent);
      const { id } = agent;
      const { keyHash, origin } = claimant;
      const service = findRepository(website)?.service;
      const result = await inTurn({ id, site: toSite(website), service }, claimant, async () => {
        if (service !== undefined) await awaitTurn(rateLimitStore, service);
        return checkWebsite({
          website,
          explainedAt: origin + toManagePath(id, 'key'),
          accepts: (text) => challenges.accepts(text, `${id} ${keyHash}`),
        });
      });
      onChecked({ agentId: id, host, result });
      if (isProof(result)) return { website, proof: result };
      throw new RegistryError('unprocessable', explain(result, { website, host }));
    },
    /**
     * Reads the keys of a domain and returns what one of them proves that has signed the claim: control of the website, or
     * only of the domain that publishes the agent.
     * @throws {RegistryError} `unprocessable` if it proves neither, `too-many` beyond a limit.
     */
    async checkKey(
      agent: Agent,
      claimant: Claimant,
      { signature, challenge, method: place, ...given }: SignedClaim,
      publisher: string | undefined,
    ): Promise<ProvedWebsite> {
      const { id, website } = agent;
      const signer = { domain: toDomain(given.domain) ?? '', place };
      const own = website === null ? [] : [new URL(website).hostname];
      const hosts = [...own, ...(publisher === undefined ? [] : [publisher])];
      const isCovered = (host: string) => coversHost(signer, host, sharedHosts);
      if (!hosts.some(isCovered)) {
        const named = hosts.join(' or ') || 'the website, and there is none';
        throw new RegistryError('unprocessable', `The key must be that of ${named}`);
      }
      if (!challenges.accepts(challenge, `${id} ${claimant.keyHash}`)) {
        throw new RegistryError('unprocessable', 'The challenge has expired, or is of another management key');
      }
      const { origin } = claimant;
      await inTurn({ id, site: toSite(`https://${signer.domain}/`) }, claimant, async () => {
        try {
          const keys = await readDomainKeys(signer, { userAgent: toUserAgent(origin), count: async () => {} });
          findSigner(keys, toClaimText({ origin, id, challenge }), signature);
        } catch (error) {
          throw new RegistryError('unprocessable', (error as Error).message);
        }
      });
      onChecked({ agentId: id, host: signer.domain, result: 'key' });
      const proof = provesWebsite(signer, website, sharedHosts) ? 'key' : undefined;
      return { website, proof, ...(!own.some(isCovered) && { key_hash: null }) };
    },
  };

  /** Counts a check, and runs it when it is its turn. */
  function inTurn<Result>(
    { id, site, service }: { id: string; site: string; service?: string | undefined },
    { address, isOwner }: Claimant,
    check: () => Promise<Result>,
  ): Promise<Result> {
    // In the line of a service each agent has a place.
    const agent = isOwner || service !== undefined ? id : undefined;
    const client = networkOf(address);
    const count = () => countCheck(rateLimitStore, { agentId: id, site, client });
    return checkInLine({ site, service, address, agent }, count, check);
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

type RepositoryLooksOptions = {
  engine: Pick<Engine, 'db'>;
  agents: { endProof(agent: { id: string; website: string; website_checked_at: string | null }): Promise<void> };
  checkWebsite: CheckWebsite;
  rateLimitStore: RateLimitStore;
  origin: string;
};

/** Creates the task that looks for the file of each repository once a day, and ends its proof if the file is gone. */
export function createRepositoryLooks(options: RepositoryLooksOptions): (signal: AbortSignal) => Promise<void> {
  const { engine, agents, checkWebsite, rateLimitStore, origin } = options;
  return async (signal) => {
    const repositories = engine.db
      .selectFrom('agents')
      .select(['seq', 'id', 'website', 'website_checked_at'])
      .where('website_proof', '=', 'repository');
    for await (const { id, website, website_checked_at } of walk(repositories, ['seq'])) {
      const repository = website === null ? undefined : findRepository(website);
      if (website === null || !repository) continue;
      const { used } = await rateLimitStore.increment(`repository-look ${id}`, 1, DAY);
      if (used > 1) continue;
      await awaitTurn(rateLimitStore, repository.service);
      if (signal.aborted) return;
      // The text stays in the file after it has expired.
      const explainedAt = origin + toManagePath(id, 'key');
      const result = await checkWebsite({ website, explainedAt, accepts: isChallenge });
      if (result === 'missing' || result === 'redirected') await agents.endProof({ id, website, website_checked_at });
    }
  };
}
