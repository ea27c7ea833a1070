import { hasChosen, isNarrowed } from '@agent-registry/contracts';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { HEADER_SEARCH_ID, SEARCH_BOX_ID } from '../../components/SearchField.tsx';
import { CompareTray } from '../../features/compare/CompareTray.tsx';
import { isComposing } from '../../lib/is-composing.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { ChosenListProvider, readList } from '../../navigation/chosen-list.tsx';
import { useScrollRestoration } from '../../navigation/use-scroll-restoration.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';

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

/** The key / moves the focus to the search field that is on the screen, except while a visitor types. */
function useSearchKey(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isComposing(event) || isTyping(event.target) || !focusSearch()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}

function focusSearch(): boolean {
  const fields = [HEADER_SEARCH_ID, SEARCH_BOX_ID].map((id) => document.getElementById(id));
  const field = fields.find((candidate) => candidate?.checkVisibility({ visibilityProperty: true }));
  if (!(field instanceof HTMLInputElement)) return false;
  field.select();
  field.focus();
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
  );
}
