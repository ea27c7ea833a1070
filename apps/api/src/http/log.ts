import type { FastifyBaseLogger } from 'fastify';
import type { Answered } from './answered.ts';

// The addresses that the contract takes, as they stand or percent-encoded, with the length of each part bounded.
const MAIL_ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,20}[a-z]{2,63}/gi;

/** The options of a log of JSON lines, in which no mail address stands, wherever it came from. */
export function logOptions(level: string) {
  return { level, hooks: { streamWrite: (line: string) => line.replace(MAIL_ADDRESS, '[mail address]') } };
}

/** Logs an answer: reads, which are many, where the level is debug; what may have changed something always. */
export function logAnswer(answered: Answered, log: FastifyBaseLogger): void {
  const level = answered.method === 'GET' || answered.method === 'HEAD' ? 'debug' : 'info';
  log[level](answered, 'Answered.');
}
