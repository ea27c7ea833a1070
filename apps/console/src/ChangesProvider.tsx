import type { ConsoleChange } from '@agent-registry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useState, type ReactNode } from 'react';
import { useApi } from './api.ts';
import { countOf, describeDone } from './labels.ts';

/** An entry to change, and what stands for the version that the operator read. */
export type Target = { id: string; seen?: string | undefined };

/** The changes of this visit. */
type Changes = {
  /** What was done last, or why not, in a sentence. */
  status: { text: string; isError: boolean } | undefined;
  isPending: boolean;
  /** Whether the last change can be taken back. */
  canUndo: boolean;
  change: (change: ConsoleChange, targets: readonly Target[], reason?: string) => Promise<boolean>;
  dismissReports: (ids: readonly string[]) => Promise<boolean>;
  undo: () => Promise<boolean>;
};

/** The last change, and what takes it back. */
type LastChange = { change: ConsoleChange; undo: ConsoleChange; targets: readonly Target[] };

const ChangesContext = createContext<Changes | null>(null);

/** What changes entries, and takes the last change back. */
export function useChanges(): Changes {
  const changes = use(ChangesContext);
  if (!changes) throw new Error('ChangesProvider is not above this component.');
  return changes;
}

/** Provides the changes to all pages, so that the last one can be taken back from any of them. */
export function ChangesProvider({ children }: { children: ReactNode }) {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<Changes['status']>();
  const [last, setLast] = useState<LastChange>();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    // Whatever failed: the lists may be older than the entries.
    onSettled: () => queryClient.invalidateQueries(),
  });

  const run = async (act: () => Promise<string>) => {
    try {
      setStatus({ text: await mutateAsync(act), isError: false });
      return true;
    } catch (error) {
      setStatus({ text: error instanceof Error ? error.message : 'Something went wrong.', isError: true });
      return false;
    }
  };
  const change = (name: ConsoleChange, targets: readonly Target[], reason?: string) =>
    run(async () => {
      const { agents, done, undo } = await client.agents.change.mutate({ change: name, targets: [...targets], reason });
      setLast(undo && { change: name, undo, targets: agents.map(({ id }) => ({ id })) });
      return describeDone(done, agents);
    });

  const dismissReports = (ids: readonly string[]) =>
    run(async () => {
      const { count } = await client.reports.dismiss.mutate({ ids: [...ids] });
      // Deleted reports do not come back, and an older change is not what the button would seem to take back.
      setLast(undefined);
      return `Dismissed: ${countOf(count, 'report')}.`;
    });
  const undo = async () => {
    if (!last) return false;
    const isUndone = await run(async () => {
      const { agents, done } = await client.agents.change.mutate({
        change: last.undo,
        targets: [...last.targets],
        reason: `Takes back: ${last.change}`,
      });
      return `Taken back. ${describeDone(done, agents)}`;
    });
    // A second press must not take back what took back.
    if (isUndone) setLast(undefined);
    return isUndone;
  };
  const changes: Changes = { status, isPending, canUndo: last !== undefined, change, dismissReports, undo };

  // oxlint-disable-next-line react/jsx-no-constructed-context-values -- it changes with the status, which all consumers show
  return <ChangesContext value={changes}>{children}</ChangesContext>;
}
