import { useSiteConfig } from '../lib/site-config.ts';
import { MessageCard } from './MessageCard.tsx';
import { describePageNotFound, PageHead } from './page-head.tsx';

/** The page at an unknown path. */
export function NotFoundPage() {
  const pageNotFound = describePageNotFound(useSiteConfig());
  return (
    <>
      <PageHead {...pageNotFound} />
      <MessageCard title="404 Page Not Found" text={pageNotFound.description} />
    </>
  );
}
