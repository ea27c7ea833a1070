export type SectionId = 'browse' | 'categories' | 'register' | 'about';

export const sectionLinks: readonly { section: SectionId; label: string }[] = [
  { section: 'browse', label: 'Browse Agents' },
  { section: 'categories', label: 'Categories' },
  { section: 'about', label: 'About' },
];

export const SEARCH_BOX_ID = 'search';

export const HEADER_SEARCH_ID = 'header-search';
