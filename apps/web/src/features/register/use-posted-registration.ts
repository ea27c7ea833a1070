import { readManagementKey } from '@agent-registry/contracts';
import { useEffect, useState } from 'react';
import { keepKey, type OwnAgent } from '../../components/owner-keys.ts';
import { useSite } from '../../lib/site.ts';
import { removeDraft } from './draft.ts';

/**
 * Returns the agent that was registered by a form that the browser posted, such as before hydration, and forgets it. This
 * browser keeps its key once scripts run.
 */
export function usePostedRegistration(): [posted: OwnAgent | undefined, forget: () => void] {
  const { registered } = useSite();
  const [isForgotten, setIsForgotten] = useState(false);
  const key = registered && readManagementKey(registered.link);
  useEffect(() => {
    if (!registered || key === undefined) return;
    const { id, name, category, isHeld } = registered;
    keepKey({ id, name, category, key, isHeld });
    removeDraft();
  }, [registered, key]);

  const posted = registered && key !== undefined && !isForgotten ? { ...registered, key } : undefined;
  return [posted, () => setIsForgotten(true)];
}
