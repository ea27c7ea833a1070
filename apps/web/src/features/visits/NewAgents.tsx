import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import { useStored } from '../../lib/storage.ts';
import { lazyNewAgentsLink } from './lazy-new-agents-link.ts';
import { parseVisit, VISIT_KEY } from './visit.ts';

/** What is new since the last visit, in the line with the count; its code loads for visitors who come back. */
export function NewAgents() {
  const since = useStored(VISIT_KEY, parseVisit)?.since;
  if (since === undefined) return null;
  return (
    <LazyBoundary load={lazyNewAgentsLink.load} fallback={null} failure={null}>
      <lazyNewAgentsLink.Component since={since} />
    </LazyBoundary>
  );
}
