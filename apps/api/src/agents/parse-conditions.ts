import { hostOf } from '@agent-registry/contracts';
import { z } from 'zod';
import type { AgentSelection } from './agent-selection.ts';

/** The conditions that select agents, as typed. */
export type Conditions = Omit<AgentSelection, 'ids' | 'seen'>;

/** A condition that selects nothing that there can be, such as a day that no month has. */
export class ConditionError extends Error {
  readonly condition: keyof Conditions;

  /** @param fault what its value must be, such as `must not be blank` */
  constructor(condition: keyof Conditions, fault: string) {
    super(fault);
    this.condition = condition;
  }
}

/** The units of a time span, in seconds. */
const SECONDS = { m: 60, h: 3_600, d: 86_400 };

/**
 * Parses the conditions that select agents.
 * @throws {ConditionError} for the first invalid value.
 */
export function parseConditions({ since, text, host, email, category, hiddenAt }: Conditions): AgentSelection {
  return {
    since: since === undefined ? undefined : parseSince(since),
    text: text === undefined ? undefined : parseText(text),
    host: host === undefined ? undefined : parseHost(host),
    email: email === undefined ? undefined : parseEmail(email),
    category,
    hiddenAt: hiddenAt === undefined ? undefined : parseTime('hiddenAt', hiddenAt),
  };
}

function parseSince(text: string): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return parseTime('since', text, ' or a time span such as 30m, 2h or 7d');
  return new Date(Date.now() - Number(count) * SECONDS[unit as keyof typeof SECONDS] * 1_000).toISOString();
}

function parseTime(condition: keyof Conditions, text: string, others = ''): string {
  const { success } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (!success) {
    throw new ConditionError(condition, `must be a time, such as 2026-11-21 or 2026-11-21T09:30:00Z${others}`);
  }
  return new Date(text).toISOString();
}

function parseText(text: string): string {
  if (text.trim() === '') throw new ConditionError('text', 'must not be blank');
  return text.trim();
}

function parseHost(text: string): string {
  const host = /^[^/?#@:\s]+$/.test(text) ? hostOf(`http://${text}`) : undefined;
  if (host === undefined) throw new ConditionError('host', 'must be the name of a host, such as example.com');
  return host;
}

function parseEmail(text: string): string {
  if (!/^[^@\s]*@[^@\s]+$/.test(text)) {
    throw new ConditionError(
      'email',
      'must be an address, such as owner@example.com, or a domain, such as @example.com',
    );
  }
  return text;
}
