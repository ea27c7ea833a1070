import type { ComponentProps, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { scrollToSection, type SectionId } from './sections.ts';

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/** A link to a section of the home page: it scrolls there where the section is on the page, and leads home elsewhere. */
export function SectionLink({ section, onClick, ...props }: SectionLinkProps) {
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!scrollToSection(section)) return;
    event.preventDefault();
    window.history.replaceState(window.history.state, '', `#${section}`);
  };
  return <Link {...props} to={`/#${section}`} onClick={handleClick} />;
}
