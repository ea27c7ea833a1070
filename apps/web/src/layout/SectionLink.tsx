import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import type { SectionId } from './section-links.ts';
import { useSectionPath } from './use-section-path.ts';

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/** A link to a section of the home page; there it scrolls smoothly, from elsewhere it leads home. */
export function SectionLink({ section, ...props }: SectionLinkProps) {
  return <Link {...props} to={useSectionPath(section)} />;
}
