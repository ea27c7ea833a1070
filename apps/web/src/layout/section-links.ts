import type { SectionId } from './sections.ts';

/** The anchors of the navigation, in the order in which they are shown. */
export const sectionLinks: readonly { section: SectionId; label: string }[] = [
  { section: 'browse', label: 'Browse Agents' },
  { section: 'categories', label: 'Categories' },
  { section: 'about', label: 'About' },
];
