import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { initialValues, readLastValues } from '../../components/agent-form/form-values.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { SectionButton } from '../../navigation/SectionLink.tsx';
import { readDraft, saveDraft } from './draft.ts';
import { forgetRegistrations } from './use-register.ts';

export function RegisterAgain({ id }: { id: string }) {
  const { categories } = useSiteConfig();
  const queryClient = useQueryClient();
  const [replaced] = useState(() => readDraft(categories));
  const [values] = useState(() => readLastValues(id, categories));
  const fill = () => {
    if (values) saveDraft({ ...initialValues, ...values });
    forgetRegistrations(queryClient);
  };
  return (
    <>
      <SectionButton section="register" size="md" mb="lg" onClick={fill}>
        {values ? 'Register it again' : 'Register an agent'}
      </SectionButton>
      {!values && (
        <Text size="sm" mb="lg" c="var(--muted-text)">
          Only the browser that withdrew it keeps its last values. Here, the form does not have them.
        </Text>
      )}
      {values && replaced && (
        <Text size="sm" mb="lg" c="var(--muted-text)">
          It takes the place of the draft in the form: <bdi>{replaced.name || 'an agent without a name'}</bdi>.
        </Text>
      )}
    </>
  );
}
