/** A section of the home page, or the footer, by its anchor. */
export type SectionId = 'browse' | 'categories' | 'register' | 'about';

/** Scrolls smoothly to a section of the page, and moves focus there; false when the page has none of this id. */
export function scrollToSection(id: SectionId): boolean {
  const section = document.getElementById(id);
  if (!section) return false;
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  section.scrollIntoView({ behavior: still ? 'auto' : 'smooth' });
  section.focus({ preventScroll: true });
  return true;
}
