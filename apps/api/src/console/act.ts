import { countOf, type AgentState, type SiteConfig } from '@agent-registry/contracts';
import { parseReason } from '../actions/record-of-actions.ts';
import type { Engine } from '../db/engine.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { verbNames, verbs, type Changed, type VerbName } from '../operator/verbs.ts';
import { RegistryError } from '../registry-error.ts';

export type ConsoleContext = {
  engine: Engine;
  by: string;
  siteConfig: SiteConfig;
};

export const consoleVerbs = verbNames.filter((name) => verbs[name].button);

const reasonHints = {
  operators: 'Only operators read it.',
  owners: 'The owner reads it on the page of the entry.',
  nobody: '',
};

/** The verbs with these names, as the page shows them: their buttons, and whether they need a reason. */
export function offer(names: readonly VerbName[]) {
  return names.map((name) => {
    const { button, reasonFor } = verbs[name];
    const { label = name, ownerReads = '', key } = button ?? {};
    const reasonHint = reasonFor ? reasonHints[reasonFor] : 'For the record of actions; it can be left out.';
    return { name, label, ownerReads, key, needsReason: reasonFor !== undefined, reasonHint };
  });
}

/** The verbs for entries of a state, the main ones first. */
export function offerFor(state: AgentState) {
  const names = consoleVerbs.filter((name) => (verbs[name].button?.states ?? verbs[name].states).includes(state));
  const isMain = (name: VerbName) => verbs[name].button?.main === state;
  return offer([...names.filter(isMain), ...names.filter((name) => !isMain(name))]);
}

/** The verb for reports, with their number on its button. */
export function offerDismissal(reports: number) {
  return offer(['dismiss-reports']).map((verb) => ({ ...verb, label: `${verb.label} ${countOf(reports, 'report')}` }));
}

/** A verb, the agents to change, and the fingerprints of what the operator decided on, where that matters. */
export type Act = {
  verb: VerbName;
  targets: { id: string; seen?: string | undefined }[];
  reason?: string | undefined;
  takesBack?: VerbName | undefined;
};

/**
 * Changes agents and records it, as the command of this name does. Returns what was done, in a sentence, and what takes it
 * back.
 * @throws {RegistryError} when the reason is invalid, an entry has changed since the operator saw it, or none was changed.
 */
export async function act(
  { engine, by }: ConsoleContext,
  { verb: name, targets, reason: given, takesBack }: Act,
): Promise<{ text: string; undo: Act | undefined }> {
  const verb = verbs[name];
  const reason = takesBack ? `Takes back: ${takesBack}` : given === undefined ? '' : parseReason(given);
  const store = createOperatorStore(engine, { by, command: name, reason });
  // An owner may edit an entry while the operator reads it: only what was read is decided on.
  const seen = new Map(targets.flatMap((target) => (target.seen === undefined ? [] : [[target.id, target.seen]])));
  const selection = { ids: new Set(targets.map(({ id }) => id)), seen: seen.size > 0 ? seen : undefined };
  const changed = await verb.change(store, { selection, reason, patch: {} });
  if (changed.agents.length === 0 && !changed.reports) {
    const { nothing = 'Nothing was changed: the entries are no longer in the state that you saw' } = verb;
    throw new RegistryError('changed', nothing);
  }
  const undone = changed.agents.map(({ id }) => ({ id }));
  const undo = verb.undo && { verb: verb.undo, targets: undone, takesBack: name };
  const text = `${verb.done}: ${describe(changed)}.`;
  // What took a verb back is not taken back.
  return takesBack ? { text: `Taken back. ${text}`, undo: undefined } : { text, undo };
}

function describe({ agents, reports }: Changed): string {
  const [first] = agents;
  if (reports !== undefined) return countOf(reports, 'report');
  return first && agents.length === 1 ? first.name : countOf(agents.length, 'entry', 'entries');
}
