import { Browse } from '../features/browse/Browse.tsx';
import { useBrowse } from '../features/browse/use-browse.ts';
import { Categories } from '../features/categories/Categories.tsx';
import { Hero } from '../features/hero/Hero.tsx';
import { Register } from '../features/register/Register.tsx';
import { useSectionScroll } from '../layout/use-section-scroll.ts';
import { describeHome, PageHead } from '../page-head.tsx';

/** The home page: hero, browse, registration, categories. */
export function HomePage() {
  // What is browsed decides how tall the page is, and so where a section is.
  const { results, ...browsing } = useBrowse();
  useSectionScroll(!results.isPending);
  return (
    <>
      <PageHead {...describeHome(browsing)} />
      <Hero />
      <Browse />
      <Register />
      <Categories />
    </>
  );
}
