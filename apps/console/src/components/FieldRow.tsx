import { rowOf, toEntries } from '@agent-registry/contracts';
import type { ReactNode } from 'react';
import { formatTime } from '../labels.ts';
import { StrangersLink, StrangersText } from './StrangersText.tsx';

export function FieldRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function FieldValue({ field, value }: { field: string; value: unknown }) {
  if (value === null || value === undefined || value === '') return <>none</>;
  const kind = rowOf(field)?.kind;
  if (Array.isArray(value)) {
    return (
      <ul className="rows">
        {toEntries(field, value).map((entry, index) => (
          <li key={index}>
            <StrangersText text={entry} />
          </li>
        ))}
      </ul>
    );
  }
  if (typeof value === 'string' && kind === 'address') return <StrangersLink website={value} />;
  if (typeof value === 'string' && kind === 'time') return <time dateTime={value}>{formatTime(value)}</time>;
  return <StrangersText text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}
