import { Stack, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import classes from './AgentForm.module.css';
import { AgentPreview } from './AgentPreview.tsx';
import { ErrorSummary } from './ErrorSummary.tsx';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';
import type { RefusedForm } from './refused-form.ts';

type AgentFormProps = Omit<ComponentProps<'form'>, 'method' | 'noValidate'> & {
  values: RegisterFormValues;
  /** What the server found wrong with a form that was posted without scripts. */
  refused: RefusedForm | undefined;
  errors: RegisterFormErrors;
  isHydrated: boolean;
  children: ReactNode;
};

/** A form with the fields of an agent, and the preview beside it. Without scripts the browser validates and posts it. */
export function AgentForm({ values, refused, errors, isHydrated, children, ...form }: AgentFormProps) {
  return (
    <div className={classes.columns}>
      <form {...form} method="post" noValidate={isHydrated}>
        <Stack gap="md">
          {refused?.isNote && <Text role="status">{refused.message}</Text>}
          {refused && !refused.isNote && <ErrorSummary title={refused.message} errors={errors} />}
          {children}
        </Stack>
      </form>
      {isHydrated && <AgentPreview values={values} />}
    </div>
  );
}
