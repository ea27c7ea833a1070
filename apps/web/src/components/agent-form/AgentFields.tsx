import {
  countCharacters,
  factFields,
  fields,
  getCategory,
  isCategoryId,
  readList,
  rowOf,
  titleOf,
  type Category,
} from '@agent-registry/contracts';
import { Button, Stack, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { Select } from '../Select.tsx';
import alertCircle from '../../icons/alert-circle.svg?raw';
import { Icon } from '../Icon.tsx';
import type { useFormik } from 'formik';
import { memo, useState, type ReactNode } from 'react';
import { useSiteConfig } from '../../lib/site.ts';
import { CapabilitiesField } from './CapabilitiesField.tsx';
import { ConnectionsField } from './ConnectionsField.tsx';
import { toFieldId } from './ErrorSummary.tsx';
import { FieldHelp } from './FieldHelp.tsx';
import type { initialValues, RegisterFormValues } from './form-values.ts';
import classes from './AgentForm.module.css';
import type { FilledFields } from './prefill-values.ts';
import { WebsiteField } from './WebsiteField.tsx';

/** The categories, and that of the agent if the operator has removed it: the browser would choose another. */
const toCategoryOptions = (categories: readonly Category[], chosen: string) => [
  { value: '', label: 'Select a category' },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ...(chosen === '' || isCategoryId(categories, chosen)
    ? []
    : [{ value: chosen, label: getCategory(categories, chosen).name }]),
];
const DESCRIPTION_ROWS = 4;
const EXAMPLE_TASK_ROWS = 3;
const { exampleTasks: tasks } = fields;
const optionalFields = ['connections', 'serverName', 'exampleTasks'] as const;
const ownLabels: Partial<Record<keyof RegisterFormValues, string>> = {
  name: 'Agent Name',
  connections: 'How to connect',
};

/** Help below the inputs, so that those beside each other stand on one line. */
const inputWrapperOrder: TextInputProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];
const required = { withAsterisk: true, 'aria-required': true };
/** Keeps browsers and password managers from filling in something about the person. */
export const noAutofill = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': 'true',
};

type AgentFieldsProps = Pick<
  ReturnType<typeof useFormik<RegisterFormValues>>,
  'values' | 'errors' | 'getFieldProps' | 'setFieldValue'
> & {
  filled?: FilledFields;
  onUndo?: (field: keyof RegisterFormValues) => void;
  isNew?: boolean;
};

function toFieldProps({ errors, getFieldProps, filled, onUndo }: AgentFieldsProps, name: keyof typeof initialValues) {
  const label = ownLabels[name] ?? titleOf(name);
  return {
    ...getFieldProps(name),
    id: toFieldId(name),
    label,
    dir: 'auto',
    size: 'md',
    inputContainer: withSource(filled?.[name]?.source, `Undo: ${label}`, () => onUndo?.(name)),
    inputWrapperOrder,
    classNames: { description: classes.description, input: classes.input },
    error: errors[name] && (
      <span className={classes.error}>
        <Icon svg={alertCircle} size={16} />
        {errors[name]}
      </span>
    ),
  };
}

/** The fields of an agent, in a form that registers or edits it. Other state of the form does not render them. */
export const AgentFields = memo(function AgentFields(props: AgentFieldsProps) {
  const { values, setFieldValue, isNew = false } = props;
  const { categories } = useSiteConfig();
  const field = (name: keyof typeof initialValues) => toFieldProps(props, name);
  return (
    <>
      <TextInput
        {...field('name')}
        {...noAutofill}
        placeholder="My Helpful Agent"
        description={<FieldHelp count={countCharacters(values.name.trim())} max={fields.name.bounds.max} />}
        {...required}
      />
      <Textarea
        {...field('description')}
        placeholder="What does it do, for whom, and what does it need?"
        rows={DESCRIPTION_ROWS}
        description={
          <FieldHelp count={countCharacters(values.description.trim())} max={fields.description.bounds.max}>
            Plain text; web addresses become links.
          </FieldHelp>
        }
        {...required}
      />
      <div className={classes.pairs}>
        <Select {...field('category')} data={toCategoryOptions(categories, values.category)} {...required} />
        <CapabilitiesField
          {...field('capabilities')}
          onListPaste={(list) => void setFieldValue('capabilities', list)}
        />
        <TextInput
          {...field('contactEmail')}
          type="email"
          placeholder="you@example.com"
          description={<FieldHelp>Shown on the agent’s page.</FieldHelp>}
          autoComplete="email"
          {...required}
        />
        <WebsiteField
          {...field('website')}
          isNew={isNew}
          onLeave={(website) => void setFieldValue('website', website)}
        />
        {factFields.map((name) => {
          const row = rowOf(name);
          if (row?.kind === 'options') return <Select key={name} {...field(name)} data={[...row.options]} />;
          return <TextInput key={name} {...field(name)} description={<FieldHelp>Optional.</FieldHelp>} />;
        })}
      </div>
      <OptionalFields {...props} />
    </>
  );
});

function OptionalFields(props: AgentFieldsProps) {
  const { values, errors, setFieldValue } = props;
  const [isOpen, setIsOpen] = useState(false);
  const isNeeded = optionalFields.some((name) => values[name] !== '' || errors[name] !== undefined);
  const field = (name: keyof typeof initialValues) => toFieldProps(props, name);
  return (
    <details
      className={classes.optional}
      open={isOpen || isNeeded}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        How to connect, and example tasks <span>optional</span>
      </summary>
      <Stack gap="sm">
        <ConnectionsField
          {...field('connections')}
          {...noAutofill}
          onText={(text) => void setFieldValue('connections', text)}
        />
        {(values.connections !== '' || values.serverName !== '') && (
          <TextInput
            {...field('serverName')}
            {...noAutofill}
            dir="ltr"
            placeholder="high-tides"
            description={
              <FieldHelp>
                Optional. Editors list the MCP server as com.example/high-tides when you have shown control of the host
                example.com of the website; before that, or if another entry has the name, the registry gives one.
              </FieldHelp>
            }
          />
        )}
        <Textarea
          {...field('exampleTasks')}
          placeholder="Find me a table for four on Friday."
          rows={EXAMPLE_TASK_ROWS}
          description={
            <FieldHelp count={readList('exampleTasks', values.exampleTasks).length} max={tasks.most}>
              {`One a line, each of ${tasks.bounds.min} to ${tasks.bounds.max} characters.`}
            </FieldHelp>
          }
        />
      </Stack>
    </details>
  );
}

function withSource(source: string | undefined, label: string, onUndo: () => void) {
  return (input: ReactNode) => (
    <>
      {input}
      {source !== undefined && (
        <span className={classes.filled}>
          from {source}
          <Button size="compact-xs" variant="default" className="needs-scripts" aria-label={label} onClick={onUndo}>
            Undo
          </Button>
        </span>
      )}
    </>
  );
}
