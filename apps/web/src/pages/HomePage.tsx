import { isNarrowed, parseBrowseParams, parseCompared } from '@agent-registry/contracts';
import { useLocation, useOutletContext } from 'react-router-dom';
import { Browse } from '../features/browse/Browse.tsx';
import { Categories } from '../features/categories/Categories.tsx';
import { CompareToggle } from '../features/compare/CompareToggle.tsx';
import { Hero } from '../features/hero/Hero.tsx';
import { KeysHint } from '../features/keys/KeysHint.tsx';
import { lazySuggestions } from '../features/suggest/lazy-suggestions.ts';
import { Register } from '../features/register/Register.tsx';
import { NewAgents } from '../features/visits/NewAgents.tsx';
import { useSiteConfig } from '../lib/site-config.ts';
import { lazyComparisonPage } from './lazy-parts.ts';
import { InvalidPage, NotFoundPage } from './MessageCard.tsx';
import { describeHome, findInvalidPart, PageHead } from './page-head.tsx';

export function HomePage() {
  const { pathname, search } = useLocation();
  const isCompact = useOutletContext<boolean | undefined>() ?? false;
  const siteConfig = useSiteConfig();
  const query = new URLSearchParams(search);
  const compared = parseCompared(query);
  const isComparison = compared.length > 0;
  const params = isComparison ? { text: '' } : parseBrowseParams(query, siteConfig.categories);
  // The router takes `//` for `/`, the server does not.
  if (pathname !== '/') return <NotFoundPage />;
  if (!params) return <InvalidPage part={findInvalidPart(query, siteConfig)} />;
  const title = <title>{siteConfig.name}</title>;
  return (
    <>
      {!isComparison && <PageHead {...describeHome(params, siteConfig)} />}
      <Hero isCompact={isCompact} />
      <Browse
        searchHint={<KeysHint />}
        suggestions={lazySuggestions}
        CardAction={CompareToggle}
        news={!isNarrowed(params) && <NewAgents />}
        comparison={
          isComparison && (
            <lazyComparisonPage.Component
              ids={compared}
              fallback={title}
              failure={<>{title}The comparison could not be loaded.</>}
            />
          )
        }
      />
      <Register />
      <Categories />
    </>
  );
}
