import { userInfo } from 'node:os';
import { findTextFault, MAX_REASON_LENGTH } from '@agent-registry/contracts';
import { RegistryError } from '../registry-error.ts';

/** Longest name of an operator, in characters as people see them. */
const MAX_NAME_LENGTH = 100;

/**
 * Parses the reason of a change: one line.
 * @throws {RegistryError} when it is blank or too long, or has line ends or control characters.
 */
export function parseReason(text: string): string {
  return parseLine('reason', text, MAX_REASON_LENGTH);
}

/**
 * Reads who acts: the given name, or the user who runs the process.
 * @throws {RegistryError} when the name is blank or too long, or has line ends or control characters.
 */
export function readActor(name: string | undefined): string {
  return name === undefined ? systemUser() : parseLine('name', name, MAX_NAME_LENGTH);
}

function parseLine(kind: string, text: string, max: number): string {
  const line = text.trim();
  const fault = findTextFault(line, { max, isLine: true });
  if (fault !== undefined) throw new RegistryError('invalid', `The ${kind} ${fault}`);
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
