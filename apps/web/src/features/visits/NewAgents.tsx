import { createLazyComponent } from '../../components/lazy-component.tsx';
import { useStored } from '../../lib/storage.ts';
import { parseVisit, VISIT_KEY } from './visit.ts';

export const lazyNewAgentsLink = createLazyComponent(async () => (await import('./NewAgentsLink.tsx')).NewAgentsLink);

/** What is new since the last visit, in the line with the count; its code loads for visitors who come back. */
export function NewAgents() {
  const since = useStored(VISIT_KEY, parseVisit)?.since;
  if (since === undefined) return null;
  return <lazyNewAgentsLink.Component since={since} />;
}
