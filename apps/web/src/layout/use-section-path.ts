import { useLocation, type To } from 'react-router-dom';
import type { SectionId } from './section-links.ts';

/** Where a section of the home page is; what is browsed there stays as it is. */
export function useSectionPath(section: SectionId): To {
  const { pathname, search } = useLocation();
  return { pathname: '/', search: pathname === '/' ? search : '', hash: `#${section}` };
}
