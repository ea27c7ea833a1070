/** A section of the home page, or the footer, by its anchor. */
export type SectionId = 'browse' | 'categories' | 'register' | 'about';

/** The anchors of the navigation, in the order in which they are shown. */
export const sectionLinks: readonly { section: SectionId; label: string }[] = [
  { section: 'browse', label: 'Browse Agents' },
  { section: 'categories', label: 'Categories' },
  { section: 'about', label: 'About' },
];
