import { Comparison } from '../features/compare/Comparison.tsx';
import { SharedList } from '../features/compare/SharedList.tsx';
import { useCompared } from '../features/compare/use-chosen-agents.ts';
import { YourList } from '../features/compare/YourList.tsx';
import { useSiteConfig } from '../lib/site.ts';
import { describeComparison, describeKept } from './describe-comparison.ts';
import { PageHead } from './page-head.tsx';

type ChosenPageProps = {
  compared: readonly string[];
  /** The ids of a shared list; without any, the list is that of the browser. */
  shared: readonly string[];
};

/** The part of the home page with agents that visitors have chosen, and the head of the page. */
export function ChosenPage({ compared, shared }: ChosenPageProps) {
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
