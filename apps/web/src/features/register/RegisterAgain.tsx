import { useQueryClient } from '@tanstack/react-query';
import { readEntryDraft } from '../../components/agent-form/entry-draft.ts';
import { initialValues } from '../../components/agent-form/form-values.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { SectionButton } from '../../navigation/SectionButton.tsx';
import { saveDraft } from './draft.ts';
import { forgetRegistrations } from './use-register.ts';

/** Leads from the page of an own agent that was withdrawn to the registration form, filled from its last values. */
export function RegisterAgain({ id }: { id: string }) {
  const { categories } = useSiteConfig();
  const queryClient = useQueryClient();
  const fill = () => {
    const draft = readEntryDraft(id, categories);
    if (draft) saveDraft({ ...initialValues, ...draft });
    forgetRegistrations(queryClient);
  };
  return (
    <SectionButton section="register" size="md" mb="lg" onClick={fill}>
      Register it again
    </SectionButton>
  );
}
