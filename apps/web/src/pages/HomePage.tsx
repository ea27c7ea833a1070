import { hasChosen, parseBrowseParams, parseCompared, parseShared } from '@agent-registry/contracts';
import { useLocation, useOutletContext } from 'react-router-dom';
import { Browse } from '../features/browse/Browse.tsx';
import { lazyAgentRows, lazyEmptyState } from '../features/browse/Results.tsx';
import { Categories } from '../features/categories/Categories.tsx';
import { Hero } from '../features/hero/Hero.tsx';
import { Register } from '../features/register/Register.tsx';
import { useSiteConfig } from '../lib/site.ts';
import { lazyChosenPage } from './lazy-parts.ts';
import { InvalidPage, NotFoundPage } from './MessageCard.tsx';
import { describeHome, findInvalidPart, PageHead } from './page-head.tsx';

/** Loads the page, and the code of its rows or empty list: those of the server stay until they are hydrated. */
export async function loadHomePage() {
  if (typeof window === 'object') {
    if (document.querySelector('#browse table')) await lazyAgentRows.load().catch(() => {});
    if (document.querySelector('[data-alone=true]')) await lazyEmptyState.load().catch(() => {});
  }
  return HomePage;
}

function HomePage() {
  const { pathname, search } = useLocation();
  const isCompact = useOutletContext<boolean | undefined>() ?? false;
  const siteConfig = useSiteConfig();
  const query = new URLSearchParams(search);
  const isChosen = hasChosen(query);
  const params = isChosen ? { text: '' } : parseBrowseParams(query, siteConfig.categories);
  // The router takes `//` for `/`, the server does not.
  if (pathname !== '/') return <NotFoundPage />;
  if (!params) return <InvalidPage part={findInvalidPart(query, siteConfig)} />;
  const title = <title>{siteConfig.name}</title>;
  return (
    <>
      {!isChosen && <PageHead {...describeHome(params, siteConfig)} />}
      <Hero isCompact={isCompact} />
      <Browse
        chosen={
          isChosen && (
            <lazyChosenPage.Component
              compared={parseCompared(query)}
              shared={parseShared(query) ?? []}
              fallback={title}
              failure={<>{title}The agents could not be loaded.</>}
            />
          )
        }
      />
      <Register />
      <Categories />
    </>
  );
}
