import type { RestContext } from '@agent-registry/client';
import { createManagementKey, HELD_STATUS, readManagementKey, type NewAgentInput } from '@agent-registry/contracts';
import {
  useMutation,
  useMutationState,
  useQueryClient,
  type MutationState,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isOffline, useApi } from '../../api/trpc.ts';
import { describeFailure, toFormFailure } from '../../components/FormFailure.tsx';
import { keepKey, type OwnAgent } from '../../components/owner-keys.ts';
import { useSite } from '../../lib/site.ts';
import { useToast } from '../../lib/toast-context.ts';
import { removeDraft } from './draft.ts';

type Attempt = { newAgent: NewAgentInput; key: string; managementKey: string };

const mutationKey = ['register'];

/** The mutation cache keeps the last registration, pending or not, while the visitor is on another page. */
export function useRegister() {
  const showToast = useToast();
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationKey,
    gcTime: Infinity,
    mutationFn: async ({ newAgent, key, managementKey }: Attempt): Promise<OwnAgent> => {
      let isHeld = false;
      const onStatus = (status: number) => void (isHeld = status === HELD_STATUS);
      const context: RestContext = { idempotencyKey: key, newKey: managementKey, onStatus };
      const { id, name, category } = await client.agents.register.mutate(newAgent, { context });
      return { id, name, category, key: managementKey, isHeld };
    },
    onError: (error) => {
      const known = isOffline(error) ? describeFailure(error) : error.message;
      const message = known || 'Failed to register agent. Please try again.';
      showToast({ title: 'Error', message, variant: 'destructive' });
    },
    onSuccess: (own) => {
      keepKey(own);
      removeDraft();
      void queries.agents.invalidate();
      void queries.stats.invalidate();
      showToast({ title: 'Success!', message: 'Your agent has been registered successfully.' });
    },
  });
  const readLast = () =>
    queryClient.getMutationCache().findAll({ mutationKey }).at(-1)?.state as
      | MutationState<OwnAgent, Error, Attempt>
      | undefined;
  const last = useMutationState<MutationState<OwnAgent, Error, Attempt>>({ filters: { mutationKey } }).at(-1);
  const failure = toFormFailure({ error: last?.error ?? null, isIdle: last === undefined });
  const [posted, forgetPosted] = usePostedRegistration();

  return {
    isSubmitting: last?.status === 'pending',
    registered: last?.data ?? posted,
    failure,
    /** Registers an agent, unless a registration is pending. A retry of a failed one reuses its idempotency key. */
    register: async (newAgent: NewAgentInput): Promise<void> => {
      // Read from the cache: a retry can come before the hook has rendered the failure.
      const former = readLast();
      if (former?.status === 'pending') return;
      const isRetry =
        former?.status === 'error' && JSON.stringify(newAgent) === JSON.stringify(former.variables?.newAgent);
      await mutateAsync(
        (isRetry && former.variables) || { newAgent, key: createManagementKey(), managementKey: createManagementKey() },
      ).catch(() => {});
    },
    reset: () => {
      forgetPosted();
      forgetRegistrations(queryClient);
    },
  };
}

export function forgetRegistrations(queryClient: QueryClient): void {
  const cache = queryClient.getMutationCache();
  for (const mutation of cache.findAll({ mutationKey })) cache.remove(mutation);
}

/** The agent that was registered by a form that the browser posted, such as before hydration. */
function usePostedRegistration(): [posted: OwnAgent | undefined, forget: () => void] {
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
