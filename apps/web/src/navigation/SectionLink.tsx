import type { ComponentProps } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { readLocationState, type LocationState } from './location-state.ts';
import type { SectionId } from './section-links.ts';

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/** A link to a section of the home page. On the home page it keeps the list and its cards. */
export function SectionLink({ section, ...props }: SectionLinkProps) {
  const location = useLocation();
  const isHome = location.pathname === '/';
  const { cardsShown, start } = readLocationState(location);
  const state: LocationState = isHome && cardsShown ? { cardsShown, start } : {};
  return (
    <Link {...props} to={{ pathname: '/', search: isHome ? location.search : '', hash: `#${section}` }} state={state} />
  );
}
