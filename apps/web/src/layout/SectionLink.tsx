import type { ComponentProps, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import type { SectionId } from './section-links.ts';
import { useSectionPath } from './use-section-path.ts';
import { beginSmoothScroll } from './use-section-scroll.ts';

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/** A link to a section of the home page; there it scrolls smoothly, from elsewhere it leads home. */
export function SectionLink({ section, onClick, ...props }: SectionLinkProps) {
  const { to, isHome } = useSectionPath(section);
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (isHome && !(event.ctrlKey || event.metaKey || event.shiftKey)) beginSmoothScroll();
  };
  return <Link {...props} to={to} onClick={handleClick} />;
}
