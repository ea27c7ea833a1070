import { findRepository } from './repository.ts';

/** What an owner can prove to control: all of a host, by a file or by its key, one page of it, or a repository. */
export const websiteProofs = ['host', 'page', 'repository', 'key'] as const;

/** What an owner proved to control. */
export type WebsiteProof = (typeof websiteProofs)[number];

/** What tells of the proof of an agent's website. */
export type ProvedWebsite = {
  website: string | null;
  websiteCheckedAt?: string | undefined;
  websiteProof?: WebsiteProof | undefined;
};

/** Whether the owner of an agent proved to control the website that it lists. */
export function isProved({ website, websiteCheckedAt }: ProvedWebsite): boolean {
  return website !== null && websiteCheckedAt !== undefined;
}

/**
 * Names what the owner of an agent proved; undefined without a proof. Proofs are made on port 443, which is named where the
 * website has another one.
 * @example describeProof(agent) // 'example.com', 'example.com:443', 'this page of example.com' or 'the repository github.com/a/b'
 */
export function describeProof(agent: ProvedWebsite): string | undefined {
  const url = agent.website === null ? null : URL.parse(agent.website);
  if (!url || !isProved(agent)) return undefined;
  const repository = agent.websiteProof === 'repository' ? findRepository(url.href) : undefined;
  if (repository) return `the repository ${repository.name}`;
  const host = url.port === '' ? url.hostname : `${url.hostname}:443`;
  if (agent.websiteProof === 'key') return `the key of ${host}`;
  return agent.websiteProof === 'host' ? host : `this page of ${host}`;
}
