import { useSiteConfig } from '../lib/site-config.ts';
import { MessageCard } from './MessageCard.tsx';
import { describePageNotFound } from './page-head.tsx';

/** The page at an unknown path. */
export function NotFoundPage() {
  return <MessageCard head={describePageNotFound(useSiteConfig())} title="404 Page Not Found" />;
}
