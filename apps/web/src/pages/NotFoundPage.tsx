import { MessageCard } from '../layout/MessageCard.tsx';
import { PageHead, pageNotFound } from './page-head.tsx';

/** The page at an unknown path. */
export function NotFoundPage() {
  return (
    <>
      <PageHead {...pageNotFound} />
      <MessageCard title="404 Page Not Found" text={pageNotFound.description} />
    </>
  );
}
