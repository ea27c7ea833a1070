import { readStored, writeStored } from '../../lib/storage.ts';
import { parseVisit, rollOver, VISIT_KEY } from './visit.ts';

/** Keeps the visit in this browser, now and whenever the page is shown or hidden. @returns ends that */
export function watchVisits(): () => void {
  const keep = () => {
    const visit = readStored(VISIT_KEY, parseVisit);
    const now = new Date();
    if (!document.hidden) writeStored(VISIT_KEY, rollOver(visit, now));
    // The page was seen until now, however long.
    else if (visit) writeStored(VISIT_KEY, { ...visit, seenAt: now.toISOString() });
  };
  if (!document.hidden) keep();
  document.addEventListener('visibilitychange', keep);
  return () => document.removeEventListener('visibilitychange', keep);
}
