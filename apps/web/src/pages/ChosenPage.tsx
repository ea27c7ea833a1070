import { Comparison } from '../features/compare/Comparison.tsx';
import { SharedList } from '../features/compare/SharedList.tsx';
import { useCompared } from '../features/compare/use-chosen-agents.ts';
import { YourList } from '../features/compare/YourList.tsx';
import { useSiteConfig } from '../lib/site.ts';
import { describeComparison, describeKept } from './describe-comparison.ts';
import { PageHead } from './page-head.tsx';

/** A comparison, or a shared list; without ids of either, the list of the browser. */
export function ChosenPage({ compared, shared }: { compared: readonly string[]; shared: readonly string[] }) {
  const siteConfig = useSiteConfig();
  if (compared.length > 0) return <ComparedAgents ids={compared} />;
  return (
    <>
      <PageHead {...describeKept(shared, siteConfig)} />
      {shared.length > 0 ? <SharedList ids={shared} /> : <YourList />}
    </>
  );
}

function ComparedAgents({ ids }: { ids: readonly string[] }) {
  const compared = useCompared(ids);
  return (
    <>
      <PageHead {...describeComparison(compared.agents ?? [], useSiteConfig())} />
      <Comparison ids={ids} {...compared} />
    </>
  );
}
