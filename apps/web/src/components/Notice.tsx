import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

/** The hashes of the URLs with which forms without scripts end; a cached page knows nothing else of its visitor. */
export const [REGISTERED_HASH, REPORTED_HASH] = ['#registered', '#reported'] as const;

/** Says that a form has done its work, if the hash of the URL says so. */
export function Notice({ hash, children }: { hash: string; children: ReactNode }) {
  return (
    <p id={hash.slice(1)} tabIndex={-1} className={classes.notice}>
      <IconCircleCheck size={20} stroke={1.7} aria-hidden />
      <span>{children}</span>
    </p>
  );
}
