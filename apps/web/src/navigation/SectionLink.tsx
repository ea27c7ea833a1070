import type { ComponentProps } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { SectionId } from './section-links.ts';

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/**
 * A link to a section of the home page; there it scrolls smoothly and leaves what is browsed as it is, from elsewhere it
 * leads home.
 */
export function SectionLink({ section, ...props }: SectionLinkProps) {
  const { pathname, search } = useLocation();
  return <Link {...props} to={{ pathname: '/', search: pathname === '/' ? search : '', hash: `#${section}` }} />;
}
