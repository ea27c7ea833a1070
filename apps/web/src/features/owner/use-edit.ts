import type { RestContext } from '@agent-registry/client';
import { HELD_STATUS, readManagementKey, toAgentPath, type Agent } from '@agent-registry/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormError } from '../../components/FormFailure.tsx';
import { readStatus } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import { toPatch, type RegisterFormValues } from '../../components/agent-form/form-values.ts';
import { KEY_MISSING } from '../../components/KeyField.tsx';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';
import { toHeading } from '../../navigation/location-state.ts';
import { useToast } from '../../lib/toast-context.ts';
import { ownVersionKey } from './use-own-version.ts';

const CHANGED_MEANWHILE =
  'This entry was changed meanwhile. What you have typed is kept; the other fields have their new values. Save again to keep your changes.';

export type EditFormValues = RegisterFormValues & { key?: string };

/** An agent as it was read, and its ETag; none for that of the page. */
type Version = { agent: Agent; etag: string | undefined };

/**
 * Reads the agent that a form edits, which the page may show as it was, and saves the edits. Its owner reads the version
 * that waits for review, if there is one. An edit of a later version is refused, and the agent is read again.
 */
export function useEdit(agent: Agent) {
  const { id } = agent;
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const own = useOwnAgent(id);
  const typedKey = useRef<string>(undefined);

  const { data: base, refetch } = useQuery({
    queryKey: ['edit', id],
    queryFn: async (): Promise<Version> => {
      let etag: string | undefined;
      const context: RestContext = {
        key: typedKey.current ?? own?.key,
        onHeaders: (headers) => void (etag = headers.get('ETag') ?? undefined),
      };
      return { agent: await client.agents.get.query({ id }, { context }), etag };
    },
    initialData: { agent, etag: undefined },
    staleTime: 0,
    gcTime: 0,
  });

  const save = useMutation({
    mutationFn: async (values: EditFormValues) => {
      const key = readManagementKey(values.key ?? '') ?? own?.key;
      if (key === undefined) throw new FormError(KEY_MISSING);
      let isHeld = false;
      const onStatus = (status: number) => void (isHeld = status === HELD_STATUS);
      const context: RestContext = { key, ifMatch: base.etag, onStatus };
      try {
        // Also without a change: a wrong key must not be kept.
        const updated = await client.agents.update.mutate({ id, ...toPatch(base.agent, values) }, { context });
        return { updated, key, isHeld };
      } catch (error) {
        if (readStatus(error) !== 412) throw error;
        typedKey.current = key;
        await refetch();
        throw new FormError(CHANGED_MEANWHILE);
      }
    },
    onSuccess: async ({ updated, key, isHeld }) => {
      void queryClient.invalidateQueries({ queryKey: ownVersionKey(id) });
      if (!isHeld) {
        queryClient.setQueryData(queries.agents.get.queryOptions({ id }).queryKey, updated);
        void queries.agents.invalidate();
      }
      keepKey({ id, name: updated.name, category: updated.category, key, ...(isHeld && own?.isHeld && { isHeld }) });
      const message = isHeld ? 'Your change waits for review.' : 'The entry shows your changes now.';
      showToast({ title: 'Saved', message });
      await navigate(toAgentPath(id), toHeading);
    },
  });
  return { base: base.agent, save };
}
