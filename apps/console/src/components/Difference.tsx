import { toPlainText } from '../labels.ts';
import { splitAtChange } from './split-at-change.ts';

type Value = string | readonly string[] | null | undefined;

/** What becomes of the value of a field: what goes, and what comes. */
export function Difference({ before, after }: { before: Value; after: Value }) {
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

/** The parts of a text that change, within those that stay. */
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
