import { useSiteConfig } from '../lib/site-config.ts';
import { MessageCard } from './MessageCard.tsx';
import { describeInvalid, type InvalidPart } from './page-head.tsx';

/** The page at an address with a list that cannot be, such as an unknown order, or with an unknown category or form. */
export function InvalidPage({ part }: { part: InvalidPart }) {
  return <MessageCard head={describeInvalid(part, useSiteConfig())} title={`No Such ${part}`} />;
}
