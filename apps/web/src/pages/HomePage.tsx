import { BRAND } from '@agent-registry/contracts';
import { Browse } from '../features/browse/Browse.tsx';
import { Categories } from '../features/categories/Categories.tsx';
import { Hero } from '../features/hero/Hero.tsx';
import { Register } from '../features/register/Register.tsx';
import { useSectionScroll } from '../layout/use-section-scroll.ts';
import { trpc } from '../trpc.ts';

/** The home page: hero, browse, registration, categories. */
export function HomePage() {
  // The list decides how tall the page is, and so where a section is.
  const { isPending } = trpc.agents.list.useQuery();
  useSectionScroll(!isPending);
  return (
    <>
      <title>{`${BRAND}: discover and register AI agents`}</title>
      <Hero />
      <Browse />
      <Register />
      <Categories />
    </>
  );
}
