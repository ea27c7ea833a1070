import type { RestContext } from '@agent-registry/client';
import type { NewAgentInput } from '@agent-registry/contracts';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { isOffline } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import { useToast } from '../toasts/toast-context.ts';
import { removeDraft } from './draft.ts';
import { useFormState } from './form-state.ts';

/** A registration that was sent, with the key by which the registry knows it when it is sent again. */
type Attempt = { newAgent: NewAgentInput; key: string };

// Kept in the cache as long as the page is open, whatever page of the site the visitor is on.
const registering = { mutationKey: ['register'] };

/**
 * Registers an agent and tells the visitor how it went; after a success, every list and figure is read again and nothing is
 * kept of the form. All of that also where the visitor is on another page by then.
 */
export function useRegister() {
  const showToast = useToast();
  const memory = useFormState();
  const queryClient = useQueryClient();
  const { client, queries } = useApi();
  const { mutateAsync } = useMutation({
    ...registering,
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
      memory.keep({ values: undefined, refused: undefined });
      memory.read().empty?.();
      void queries.agents.invalidate();
      void queries.stats.invalidate();
      showToast({ title: 'Success!', message: 'Your agent has been registered successfully.', variant: 'default' });
    },
  });
  return {
    /** Whether a registration is under way, be it one that was sent before a visit to another page. */
    isSubmitting: useIsMutating(registering) > 0,
    /** Sends a registration, unless one is under way; resolves when it is over. Sent again after a failure, it is accepted once. */
    async submit(newAgent: NewAgentInput): Promise<void> {
      if (queryClient.isMutating(registering) > 0) return;
      const last = queryClient.getMutationCache().findAll(registering).at(-1)?.state;
      const failed = last?.status === 'error' ? (last.variables as Attempt) : undefined;
      const isRepeated = JSON.stringify(newAgent) === JSON.stringify(failed?.newAgent);
      // A failure has been told.
      await mutateAsync(isRepeated && failed ? failed : { newAgent, key: makeKey() }).catch(() => {});
    },
  };
}

// 128 random bits. crypto.randomUUID is missing where a page comes by plain http from another machine.
function makeKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).reduce((key, byte) => key + byte.toString(16).padStart(2, '0'), '');
}
