import type { Agent } from '@agent-registry/contracts';
import { Stack, Text } from '@mantine/core';
import { memo, useDeferredValue, useState, type ComponentProps, type ReactNode } from 'react';
import { AgentCard } from '../AgentCard.tsx';
import classes from './AgentForm.module.css';
import { ErrorSummary } from './ErrorSummary.tsx';
import { toNewAgentInput, type RegisterFormErrors, type RegisterFormValues } from './form-values.ts';
import type { RefusedForm } from './refused-form.ts';

type AgentFormProps = Omit<ComponentProps<'form'>, 'method' | 'noValidate'> & {
  values: RegisterFormValues;
  refused: RefusedForm | undefined;
  errors: RegisterFormErrors;
  isHydrated: boolean;
  before?: ReactNode;
  children: ReactNode;
};

/** A form with the fields of an agent, and the preview, in an element with the class `form-columns`. Without scripts the browser validates and posts it. */
export function AgentForm({ values, refused, errors, isHydrated, before, children, ...form }: AgentFormProps) {
  const previewed = useDeferredValue(values);
  return (
    <>
      <div className={classes.form}>
        {before}
        <form {...form} method="post" noValidate={isHydrated}>
          <Stack gap="sm">
            {refused?.isNote && <Text role="status">{refused.message}</Text>}
            {refused && !refused.isNote && <ErrorSummary title={refused.message} errors={errors} />}
            {children}
          </Stack>
        </form>
      </div>
      {isHydrated && <Preview values={previewed} />}
    </>
  );
}

/** The card of the agent in the form, as the list will show it. It repeats the fields, so it is for sighted visitors only. */
const Preview = memo(function Preview({ values }: { values: RegisterFormValues }) {
  const [createdAt] = useState(() => new Date().toISOString());
  const { name, description, category, ...rest } = toNewAgentInput(values);
  const agent = {
    ...rest,
    id: '00000000-0000-0000-0000-000000000000',
    name: name.trim() || 'Your Agent',
    description: description.trim() || 'Its description, up to three lines.',
    category: category || 'chatbot',
    website: null,
    rating: 0,
    reviewCount: 0,
    createdAt,
  } as Agent;
  return (
    <div inert className={classes.preview}>
      <Text size="sm" fw={650} mb="xs">
        Preview
      </Text>
      <ul className="cards panel">
        <li>
          <AgentCard agent={agent} canKeep={false} />
        </li>
      </ul>
    </div>
  );
});
