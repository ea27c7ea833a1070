import { useLocation, type To } from 'react-router-dom';
import type { SectionId } from './section-links.ts';

/** Where a section of the home page is; what is browsed there stays as it is. */
export function useSectionPath(section: SectionId): { to: To; isHome: boolean } {
  const location = useLocation();
  const isHome = location.pathname === '/';
  return { to: { pathname: '/', search: isHome ? location.search : '', hash: `#${section}` }, isHome };
}
