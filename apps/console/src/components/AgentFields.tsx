import type { Agent, AgentPatch } from '@agent-registry/contracts';
import { labelOfField } from '../labels.ts';
import { Difference } from './Difference.tsx';
import { FieldRow } from './FieldRow.tsx';
import { FieldValue } from './FieldValue.tsx';

/** The order of the fields: what a decision is about comes first. */
const ORDER = ['name', 'description', 'website', 'contactEmail', 'capabilities', 'exampleTasks', 'category'];
const NO_CHANGES: AgentPatch = {};

/** All fields of an agent; with a patch, those that it changes first, as a difference. */
export function AgentFields({ agent, patch = NO_CHANGES }: { agent: Agent; patch?: AgentPatch }) {
  const changed = Object.keys(patch) as (keyof AgentPatch)[];
  const others = Object.keys(agent)
    .filter((field) => field !== 'id' && !changed.some((name) => name === field))
    .toSorted((a, b) => rank(a) - rank(b));
  return (
    <dl className="fields">
      {changed.map((field) => (
        <FieldRow key={field} label={`${labelOfField(field)} (changed)`}>
          <Difference before={agent[field]} after={patch[field]} />
        </FieldRow>
      ))}
      {others.map((field) => (
        <FieldRow key={field} label={labelOfField(field)}>
          <FieldValue field={field} value={agent[field as keyof Agent]} />
        </FieldRow>
      ))}
    </dl>
  );
}

function rank(field: string): number {
  const place = ORDER.indexOf(field);
  return place < 0 ? ORDER.length : place;
}
