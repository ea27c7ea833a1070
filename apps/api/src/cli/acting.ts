import { userInfo } from 'node:os';
import { findTextFault } from '@agent-registry/contracts';
import type { Command } from 'commander';
import type { Acting } from '../actions/operator-action.ts';
import { CommandError } from './command.ts';

/** The options that tell the record of actions who runs a command, and why. */
export type ActingOptions = { by?: string; reason?: string };

/** Longest reason, in characters as people see them. */
const MAX_REASON_LENGTH = 500;
/** Longest name of an operator, in characters as people see them. */
const MAX_NAME_LENGTH = 100;

/** Adds `--by`, and `--reason` where a command has none of its own. */
export function addActingOptions(command: Command, { hasReason = true } = {}): Command {
  command.option('--by <name>', 'who does it, for the record of actions; the system user by default');
  return hasReason ? command.option('--reason <text>', 'why, for the record of actions') : command;
}

/**
 * Reads who runs a command, and why.
 * @param command its name
 * @throws {CommandError} when a text is blank or too long, or has line ends or control characters.
 */
export function readActing(command: string, { by, reason }: ActingOptions): Acting {
  return {
    by: by === undefined ? systemUser() : parseLine('name', by, MAX_NAME_LENGTH),
    command,
    reason: reason === undefined ? '' : parseReason(reason),
  };
}

/**
 * Parses the reason of a change: one line.
 * @throws {CommandError} when it is blank or too long, or has line ends or control characters.
 */
export function parseReason(text: string): string {
  return parseLine('reason', text, MAX_REASON_LENGTH);
}

function parseLine(kind: string, text: string, max: number): string {
  const line = text.trim();
  const fault = findTextFault(line, { max, isLine: true });
  if (fault !== undefined) throw new CommandError(`The ${kind} ${fault}.`);
  return line;
}

/** The user who runs the process: behind sudo, the one who called it. */
function systemUser(): string {
  const { SUDO_USER } = process.env;
  if (SUDO_USER) return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
