import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import { useStored } from '../../lib/storage.ts';
import { lazyNewAgentsStrip } from './lazy-new-agents-strip.ts';
import { parseVisit, VISIT_KEY } from './visit.ts';

/** What is new since the last visit; its code loads for visitors who come back. */
export function NewAgents() {
  const visit = useStored(VISIT_KEY, parseVisit);
  if (!visit?.since || visit.isHidden) return null;
  return (
    <LazyBoundary load={lazyNewAgentsStrip.load} fallback={null} failure={null}>
      <lazyNewAgentsStrip.Component visit={visit} since={visit.since} />
    </LazyBoundary>
  );
}
