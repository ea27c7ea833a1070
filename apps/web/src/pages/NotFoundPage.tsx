import { BRAND } from '@agent-registry/contracts';
import { MessageCard } from '../layout/MessageCard.tsx';

/** The page at every path that has none. */
export function NotFoundPage() {
  return (
    <>
      <title>{`404 Page Not Found – ${BRAND}`}</title>
      <MessageCard title="404 Page Not Found" text="There is no page at this address." />
    </>
  );
}
