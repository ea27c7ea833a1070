import { formatCount } from '@agent-registry/contracts';
import type { ReactNode } from 'react';

export function FieldHelp({ children, count = 0, max }: { children?: ReactNode; count?: number; max?: number }) {
  return (
    <>
      <span>{children}</span>
      {max !== undefined && (
        <span className="needs-scripts" data-over={count > max || undefined}>
          {`${formatCount(count)} of ${formatCount(max)}`}
        </span>
      )}
    </>
  );
}
