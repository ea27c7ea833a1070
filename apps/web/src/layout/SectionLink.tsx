import type { ComponentProps, MouseEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { SectionId } from './section-links.ts';
import { beginSmoothScroll } from './use-section-scroll.ts';

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/** A link to a section of the home page; there it scrolls smoothly, from elsewhere it leads home. */
export function SectionLink({ section, onClick, ...props }: SectionLinkProps) {
  const { pathname, search } = useLocation();
  const isHome = pathname === '/';
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (isHome && !(event.ctrlKey || event.metaKey || event.shiftKey)) beginSmoothScroll();
  };
  // What is browsed on the page stays as it is.
  const to = { pathname: '/', search: isHome ? search : '', hash: `#${section}` };
  return <Link {...props} to={to} onClick={handleClick} />;
}
