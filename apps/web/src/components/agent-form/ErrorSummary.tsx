import { Alert, Anchor } from '@mantine/core';
import alertCircle from '../../icons/alert-circle.svg?raw';
import { Icon } from '../Icon.tsx';
import type { MouseEvent, RefObject } from 'react';
import { initialValues, type RegisterFormErrors, type RegisterFormValues } from './form-values.ts';
import classes from './AgentForm.module.css';

export const toFieldId = (field: keyof RegisterFormValues) => `register-${field}`;

type ErrorSummaryProps = { ref?: RefObject<HTMLDivElement | null>; title: string; errors: RegisterFormErrors };

export function ErrorSummary({ ref, title, errors }: ErrorSummaryProps) {
  const fields = (Object.keys(initialValues) as (keyof RegisterFormValues)[]).filter((field) => errors[field]);
  // Without a new history entry, whose state would be empty.
  const focusField = (event: MouseEvent, field: keyof RegisterFormValues) => {
    event.preventDefault();
    document.getElementById(toFieldId(field))?.focus();
  };
  return (
    <Alert ref={ref} tabIndex={-1} className={classes.alert} title={title} icon={<Icon svg={alertCircle} />}>
      {fields.length > 0 && (
        <ul className={classes.summary}>
          {fields.map((field) => (
            <li key={field}>
              <Anchor c="var(--text)" href={`#${toFieldId(field)}`} onClick={(event) => focusField(event, field)}>
                {errors[field]}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
