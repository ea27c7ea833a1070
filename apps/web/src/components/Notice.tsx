import circleCheck from '../icons/circle-check.svg?raw';
import { Icon } from './Icon.tsx';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

/** The hash of the URL with which a report without scripts ends; a cached page knows nothing else of its visitor. */
export const REPORTED_HASH = '#reported';
/** The hash of the URL with which an edit without scripts ends that waits for review. */
export const WAITING_HASH = '#waiting';

/** Says that a form has done its work, if the hash of the URL says so. */
export function Notice({ hash, children }: { hash: string; children: ReactNode }) {
  return (
    <p id={hash.slice(1)} tabIndex={-1} className={classes.notice}>
      <Icon svg={circleCheck} size={20} />
      <span>{children}</span>
    </p>
  );
}
