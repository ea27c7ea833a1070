import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a challenge can be used, in milliseconds. */
export const CHALLENGE_LIFETIME = 86_400_000;

/** The end in seconds, and the code. */
const CHALLENGE = /^(\d{1,12})\.([\w-]{43})$/;

/** Whether a text has the form of a challenge, which may be of any registry and have expired. */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Challenges are not stored: all processes share the secret. */
export function createChallenges(
  secret: Uint8Array,
  now: () => number = () => Date.now(),
  lifetime = CHALLENGE_LIFETIME,
) {
  const sign = (end: number, subject: string) => createHmac('sha256', secret).update(`${end} ${subject}`).digest();

  return {
    /** Creates a challenge of the form `<end in seconds>.<code>`. */
    create(subject: string): { challenge: string; expiresAt: string } {
      const end = Math.floor((now() + lifetime) / 1_000);
      return {
        challenge: `${end}.${sign(end, subject).toString('base64url')}`,
        expiresAt: new Date(end * 1_000).toISOString(),
      };
    },
    accepts(text: string, subject: string): boolean {
      const [, end, code] = CHALLENGE.exec(text) ?? [];
      if (end === undefined || code === undefined || Number(end) * 1_000 <= now()) return false;
      return timingSafeEqual(Buffer.from(code, 'base64url'), sign(Number(end), subject));
    },
  };
}
