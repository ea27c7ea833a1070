import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readEntryDraft } from '../../components/agent-form/entry-draft.ts';
import { initialValues } from '../../components/agent-form/form-values.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { SectionButton } from '../../navigation/SectionButton.tsx';
import { readDraft, saveDraft } from './draft.ts';
import { forgetRegistrations } from './use-register.ts';

/** Leads from the page of an own agent that was withdrawn to the registration form, filled from its last values. */
export function RegisterAgain({ id }: { id: string }) {
  const { categories } = useSiteConfig();
  const queryClient = useQueryClient();
  const [replaced] = useState(() => readDraft(categories));
  const fill = () => {
    const draft = readEntryDraft(id, categories);
    if (draft) saveDraft({ ...initialValues, ...draft });
    forgetRegistrations(queryClient);
  };
  return (
    <>
      <SectionButton section="register" size="md" mb="lg" onClick={fill}>
        Register it again
      </SectionButton>
      {replaced && (
        <Text size="sm" mb="lg" c="var(--muted-text)">
          It takes the place of the draft in the form: <bdi>{replaced.name || 'an agent without a name'}</bdi>.
        </Text>
      )}
    </>
  );
}
