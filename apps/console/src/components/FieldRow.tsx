import type { ReactNode } from 'react';

/** A field in a list of fields. */
export function FieldRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
