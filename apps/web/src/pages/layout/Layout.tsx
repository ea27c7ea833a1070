import { hasChosen, isNarrowed } from '@agent-registry/contracts';
import { useRef, useState, type MouseEvent } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSearchKey } from '../../components/use-search-key.ts';
import { CompareTray } from '../../features/compare/CompareTray.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { ChosenListProvider, readList } from '../../navigation/chosen-list.tsx';
import { useScrollRestoration } from '../../navigation/use-scroll-restoration.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';

/** The frame of every page: skip link, header, content, footer. */
export function Layout() {
  const main = useRef<HTMLElement>(null);
  useScrollRestoration(main);
  useSearchKey();
  const { pathname, search } = useLocation();
  const isHome = pathname === '/';
  // As it was opened: the hero keeps its height while a visitor filters.
  const { categories } = useSiteConfig();
  const [isHeroCompact] = useState(
    () => isHome && (isNarrowed(readList(search, categories)) || hasChosen(new URLSearchParams(search))),
  );
  // Without a new history entry, whose state would be empty.
  const skipToContent = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  const skipToResults = (event: MouseEvent) => {
    event.preventDefault();
    const results = document.getElementById('results');
    // The list is higher than the screen: by itself the browser would scroll to its middle.
    results?.querySelector<HTMLElement>(':is([role=group], [role=region])[tabindex]')?.focus({ preventScroll: true });
    results?.scrollIntoView();
  };
  return (
    <ChosenListProvider>
      <a href="#main" className={classes.skipLink} onClick={skipToContent}>
        Skip to content
      </a>
      {isHome && (
        <a href="#results" className={classes.skipLink} onClick={skipToResults}>
          Skip to results
        </a>
      )}
      <Header />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet context={isHeroCompact} />
      </main>
      <CompareTray />
      <Footer />
    </ChosenListProvider>
  );
}
