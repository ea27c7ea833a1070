import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHALLENGE_LIFETIME, createChallenges } from './website-challenge.ts';

const secret = randomBytes(32);
const subject = `7f0c1a52-0f5b-4a0e-9b93-0c2f4e0d7a11 ${'a'.repeat(43)}`;

test('a challenge is accepted by every process of the registry, for 24 hours', () => {
  let time = Date.UTC(2026, 10, 24);
  const { challenge, expiresAt } = createChallenges(secret, () => time).create(subject);
  expect(expiresAt).toBe('2026-11-25T00:00:00.000Z');
  const other = createChallenges(secret, () => time);
  time += CHALLENGE_LIFETIME - 1;
  expect(other.accepts(challenge, subject)).toBe(true);
  time += 1;
  expect(other.accepts(challenge, subject)).toBe(false);
});

test('a challenge is of no use for another agent, key or registry, or with another end', () => {
  const challenges = createChallenges(secret);
  const { challenge } = challenges.create(subject);
  const [end, code] = challenge.split('.');
  for (const other of ['', subject.slice(1), subject.replace('7f', 'b'), `${subject} `]) {
    expect(challenges.accepts(challenge, other)).toBe(false);
  }
  expect(createChallenges(randomBytes(32)).accepts(challenge, subject)).toBe(false);
  expect(challenges.accepts(`${Number(end) + 1}.${code}`, subject)).toBe(false);
  for (const text of ['', '.', `${end}.`, `.${code}`, `${challenge}A`, ` ${challenge}`, `${end}.${'é'.repeat(43)}`]) {
    expect(challenges.accepts(text, subject)).toBe(false);
  }
});
