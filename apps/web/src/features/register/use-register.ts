import type { RestContext } from '@agent-registry/client';
import type { NewAgentInput } from '@agent-registry/contracts';
import { useIsMutating, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { isOffline } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import { useToast } from '../toasts/toast-context.ts';
import { removeDraft } from './draft.ts';
import { useFormState } from './form-state.ts';

/** A registration and its idempotency key. */
type Attempt = { newAgent: NewAgentInput; key: string };

const mutationKey = ['register'];

/**
 * Registers an agent and shows a toast with the result. A success refreshes all lists and figures and removes the draft.
 * The mutation cache keeps a pending registration while the visitor is on another page.
 */
export function useRegister() {
  const showToast = useToast();
  const formState = useFormState();
  const queryClient = useQueryClient();
  const { client, queries } = useApi();
  const { mutateAsync } = useMutation({
    mutationKey,
    gcTime: Infinity,
    mutationFn: ({ newAgent, key }: Attempt) => {
      const context: RestContext = { idempotencyKey: key };
      return client.agents.register.mutate(newAgent, { context });
    },
    onError: (error) =>
      showToast({
        title: 'Error',
        message: isOffline(error)
          ? 'You seem to be offline. What you have typed is kept; please try again.'
          : error.message || 'Failed to register agent. Please try again.',
        variant: 'destructive',
      }),
    onSuccess: () => {
      removeDraft();
      formState.write({ values: undefined });
      void queries.agents.invalidate();
      void queries.stats.invalidate();
      showToast({ title: 'Success!', message: 'Your agent has been registered successfully.', variant: 'default' });
    },
  });
  return {
    /** Whether a registration is pending, also one that was sent before a visit to another page. */
    isSubmitting: useIsMutating({ mutationKey }) > 0,
    /** How many agents were registered since the page was opened. */
    registeredCount: useMutationState({ filters: { mutationKey, status: 'success' } }).length,
    /** Registers an agent, unless a registration is pending. A retry of a failed one reuses its idempotency key. */
    register: async (newAgent: NewAgentInput): Promise<void> => {
      if (queryClient.isMutating({ mutationKey }) > 0) return;
      const last = queryClient.getMutationCache().findAll({ mutationKey }).at(-1)?.state;
      const failed = last?.status === 'error' ? (last.variables as Attempt) : undefined;
      const isRetry = JSON.stringify(newAgent) === JSON.stringify(failed?.newAgent);
      // onError has reported a failure.
      await mutateAsync(isRetry && failed ? failed : { newAgent, key: createKey() }).catch(() => {});
    },
  };
}

/** Creates a random key of 128 bits; crypto.randomUUID is missing on plain http. */
function createKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).reduce((key, byte) => key + byte.toString(16).padStart(2, '0'), '');
}
