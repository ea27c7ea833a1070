import type { RestContext } from '@agent-registry/client';
import type { NewAgentInput } from '@agent-registry/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../../trpc.ts';
import { useToast } from '../toasts/toast-context.ts';

/** Registers an agent, tells the visitor how it went, and has every list and figure read again. */
export function useRegister() {
  const showToast = useToast();
  const { client, queries } = useApi();
  const attempt = useRef<Attempt>(undefined);
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ newAgent, key }: Attempt) => {
      const context: RestContext = { idempotencyKey: key };
      return client.agents.register.mutate(newAgent, { context });
    },
  });
  return {
    isSubmitting: isPending,
    /** Sends a registration; resolves to whether it was accepted. Sent again after a failure, it is accepted once. */
    async submit(newAgent: NewAgentInput): Promise<boolean> {
      const isRepeated = JSON.stringify(newAgent) === JSON.stringify(attempt.current?.newAgent);
      const current = isRepeated && attempt.current ? attempt.current : { newAgent, key: makeKey() };
      attempt.current = current;
      try {
        await mutateAsync(current);
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        showToast({
          title: 'Error',
          message: navigator.onLine
            ? message || 'Failed to register agent. Please try again.'
            : 'You seem to be offline. What you have typed is kept; please try again.',
          variant: 'destructive',
        });
        return false;
      }
      attempt.current = undefined;
      void queries.agents.invalidate();
      void queries.stats.invalidate();
      showToast({ title: 'Success!', message: 'Your agent has been registered successfully.', variant: 'default' });
      return true;
    },
  };
}

type Attempt = { newAgent: NewAgentInput; key: string };

// 128 random bits. crypto.randomUUID is missing where a page comes by plain http from another machine.
function makeKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).reduce((key, byte) => key + byte.toString(16).padStart(2, '0'), '');
}
