import { useSearchParams } from 'react-router-dom';
import { useSiteConfig } from '../lib/site-config.ts';
import { MessageCard } from './MessageCard.tsx';
import { describeInvalid, PageHead } from './page-head.tsx';

/** The page at an address with a list that cannot be, such as an unknown order, or with an unknown form. */
export function InvalidPage({ part }: { part: 'List' | 'Form' }) {
  const head = describeInvalid(part, useSiteConfig(), useSearchParams()[0]);
  return (
    <>
      <PageHead {...head} />
      <MessageCard title={head.title.split(' – ')[0] ?? ''} text={head.description} />
    </>
  );
}
