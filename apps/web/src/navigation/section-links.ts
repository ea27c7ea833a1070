/** The id of a section of the home page, or of the footer. */
export type SectionId = 'browse' | 'categories' | 'register' | 'about';

/** The section links of the navigation bar, in order. */
export const sectionLinks: readonly { section: SectionId; label: string }[] = [
  { section: 'browse', label: 'Browse Agents' },
  { section: 'categories', label: 'Categories' },
  { section: 'about', label: 'About' },
];

/** The id of the search box in the browse section. */
export const SEARCH_BOX_ID = 'search';

/** The id of the search field in the header. */
export const HEADER_SEARCH_ID = 'header-search';
