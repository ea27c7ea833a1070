import { labelOfField, toEntries, type Agent, type AgentPatch } from '@agent-registry/contracts';
import { toPlainText } from '../labels.ts';
import { FieldRow, FieldValue } from './FieldRow.tsx';

const NO_CHANGES: AgentPatch = {};

export function AgentFields({ agent, patch = NO_CHANGES }: { agent: Agent; patch?: AgentPatch }) {
  const changed = Object.keys(patch) as (keyof AgentPatch)[];
  const others = Object.keys(agent).filter((field) => field !== 'id' && !changed.some((name) => name === field));
  return (
    <dl className="fields">
      {changed.map((field) => (
        <FieldRow key={field} label={`${labelOfField(field)} (changed)`}>
          <Difference before={toShown(field, agent[field])} after={toShown(field, patch[field])} />
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

type Value = string | readonly string[] | null | undefined;

function toShown(field: keyof AgentPatch, value: AgentPatch[keyof AgentPatch]): Value {
  return Array.isArray(value) ? toEntries(field, value) : value;
}

function Difference({ before, after }: { before: Value; after: Value }) {
  const [former, latter] = [toList(before), toList(after)];
  if (typeof before === 'string' && typeof after === 'string') return <TextDifference before={before} after={after} />;
  const gone = former.filter((entry) => !latter.includes(entry));
  return (
    <ul className="rows">
      {gone.map((entry) => (
        <li key={`-${entry}`}>
          <del className="text">
            <bdi>{toPlainText(entry)}</bdi>
          </del>
        </li>
      ))}
      {latter.map((entry) => (
        <li key={entry}>
          {former.includes(entry) ? (
            <bdi className="text">{toPlainText(entry)}</bdi>
          ) : (
            <ins className="text">
              <bdi>{toPlainText(entry)}</bdi>
            </ins>
          )}
        </li>
      ))}
      {former.length === latter.length && gone.length === 0 && <li>in another order</li>}
    </ul>
  );
}

function TextDifference({ before, after }: { before: string; after: string }) {
  const { start, removed, added, end } = splitAtChange(before, after);
  return (
    <bdi className="text">
      {toPlainText(start)}
      {removed !== '' && <del>{toPlainText(removed)}</del>}
      {removed !== '' && added !== '' && ' '}
      {added !== '' && <ins>{toPlainText(added)}</ins>}
      {toPlainText(end)}
    </bdi>
  );
}

function toList(value: Value): readonly string[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** Splits two texts into the words with which both begin and end, and what is different between them. */
export function splitAtChange(before: string, after: string) {
  const [former, latter] = [before, after].map((text) => text.split(/(?<=\s)/u)) as [string[], string[]];
  const shorter = Math.min(former.length, latter.length);
  let first = 0;
  while (first < shorter && former[first] === latter[first]) first += 1;
  let last = 0;
  while (last < shorter - first && former.at(-1 - last) === latter.at(-1 - last)) last += 1;
  return {
    start: former.slice(0, first).join(''),
    removed: former.slice(first, former.length - last).join(''),
    added: latter.slice(first, latter.length - last).join(''),
    end: former.slice(former.length - last).join(''),
  };
}
