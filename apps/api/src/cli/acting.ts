import type { Command } from 'commander';
import { parseReason, readActor } from '../actions/acting.ts';
import type { Acting } from '../actions/operator-action.ts';

/** The options that tell the record of actions who runs a command, and why. */
export type ActingOptions = { by?: string; reason?: string };

/** Adds `--by`, and `--reason` where a command has none of its own. */
export function addActingOptions(command: Command, { hasReason = true } = {}): Command {
  command.option('--by <name>', 'who does it, for the record of actions; the system user by default');
  return hasReason ? command.option('--reason <text>', 'why, for the record of actions') : command;
}

/**
 * Reads who runs a command, and why.
 * @param command its name
 * @throws {RegistryError} when a text is blank or too long, or has line ends or control characters.
 */
export function readActing(command: string, { by, reason }: ActingOptions): Acting {
  return { by: readActor(by), command, reason: reason === undefined ? '' : parseReason(reason) };
}
