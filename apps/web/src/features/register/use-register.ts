import type { NewAgentInput } from '@agent-registry/contracts';
import { trpc } from '../../trpc.ts';
import { useToast } from '../toasts/toast-context.ts';

/** Registers an agent, tells the visitor how it went, and has every list and figure read again. */
export function useRegister() {
  const showToast = useToast();
  const cache = trpc.useUtils();
  const { mutateAsync, isPending } = trpc.agents.register.useMutation();
  return {
    isSubmitting: isPending,
    /** Sends a registration; resolves to whether it was accepted. */
    async submit(newAgent: NewAgentInput): Promise<boolean> {
      try {
        await mutateAsync(newAgent);
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        showToast({
          title: 'Error',
          message: message || 'Failed to register agent. Please try again.',
          variant: 'destructive',
        });
        return false;
      }
      void cache.agents.invalidate();
      void cache.stats.invalidate();
      showToast({ title: 'Success!', message: 'Your agent has been registered successfully.', variant: 'default' });
      return true;
    },
  };
}
