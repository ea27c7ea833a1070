import { countOf } from '@agent-registry/contracts';
import { kindNames, type RegistryRecord } from '../db/record-kinds.ts';

/** The number of records of each kind in a backup. */
export type BackupCounts = Record<RegistryRecord['kind'], number>;

/** Describes the agents of a backup, such as `3 agents and 1 hidden agent`. */
export function describeBackup({ agent, hidden, held, refused, withdrawn }: BackupCounts): string {
  const others = { held, refused, withdrawn };
  const rest = Object.entries(others).flatMap(([state, count]) => (count > 0 ? countOf(count, `${state} agent`) : []));
  return new Intl.ListFormat('en-GB').format([countOf(agent, 'agent'), countOf(hidden, 'hidden agent'), ...rest]);
}

/** Counts of zero for each kind of record. */
export function noRecords(): BackupCounts {
  return Object.fromEntries(kindNames.map((kind) => [kind, 0])) as BackupCounts;
}
