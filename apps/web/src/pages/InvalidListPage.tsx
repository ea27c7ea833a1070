import { useSiteConfig } from '../lib/site-config.ts';
import { MessageCard } from './MessageCard.tsx';
import { describeInvalidList, PageHead } from './page-head.tsx';

/** The page at an address with a list that cannot be, such as an unknown order. */
export function InvalidListPage() {
  const head = describeInvalidList(useSiteConfig());
  return (
    <>
      <PageHead {...head} />
      <MessageCard title="No Such List" text={head.description} />
    </>
  );
}
