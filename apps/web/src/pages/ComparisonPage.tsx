import { Comparison } from '../features/compare/Comparison.tsx';
import { useCompared } from '../features/compare/use-compared.ts';
import { useSiteConfig } from '../lib/site-config.ts';
import { describeComparison } from './describe-comparison.ts';
import { PageHead } from './page-head.tsx';

/** The part of the home page that compares agents, with the head of the page. */
export function ComparisonPage({ ids }: { ids: readonly string[] }) {
  const compared = useCompared(ids);
  return (
    <>
      <PageHead {...describeComparison(compared.agents ?? [], useSiteConfig())} />
      <Comparison ids={ids} {...compared} />
    </>
  );
}
