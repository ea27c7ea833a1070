import {
  apiAccessOptions,
  countCharacters,
  formatCount,
  getCategory,
  isCategoryId,
  MAX_CAPABILITIES,
  MAX_DESCRIPTION_LENGTH,
  MAX_EXAMPLE_TASK_LENGTH,
  MAX_EXAMPLE_TASKS,
  MAX_NAME_LENGTH,
  MIN_EXAMPLE_TASK_LENGTH,
  pricingModels,
  type Category,
} from '@agent-registry/contracts';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { useFormik } from 'formik';
import { useState, type ClipboardEvent, type ReactNode } from 'react';
import { useSiteConfig } from '../../lib/site-config.ts';
import { CapabilityOptions } from './CapabilityOptions.tsx';
import { toFieldId } from './ErrorSummary.tsx';
import {
  addScheme,
  joinPastedLines,
  parseCapabilities,
  parseLines,
  type initialValues,
  type RegisterFormErrors,
  type RegisterFormValues,
} from './form-values.ts';
import classes from './AgentForm.module.css';
import type { FilledFields } from './prefill-values.ts';
import { SameWebsite } from './SameWebsite.tsx';

/** The categories, and that of the agent if the operator has removed it: the browser would choose another. */
const toCategoryOptions = (categories: readonly Category[], chosen: string) => [
  { value: '', label: 'Select a category' },
  ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ...(chosen === '' || isCategoryId(categories, chosen)
    ? []
    : [{ value: chosen, label: getCategory(categories, chosen).name }]),
];
/** The id of the list that completes capabilities. */
const CAPABILITIES_LIST_ID = `${toFieldId('capabilities')}-list`;
/** Rows of the description field. */
const DESCRIPTION_ROWS = 4;
/** Rows of the field of example tasks. */
const EXAMPLE_TASK_ROWS = 3;

const required = { withAsterisk: true, 'aria-required': true };
/** Keeps browsers and password managers from filling in something about the person. */
export const noAutofill = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': 'true',
};

type AgentFieldsProps = {
  formik: ReturnType<typeof useFormik<RegisterFormValues>>;
  /** The errors that are shown. */
  errors: RegisterFormErrors;
  /** The fields that were filled in from an address. */
  filled?: FilledFields;
  /** Takes back what was filled in. */
  onUndo?: (field: keyof RegisterFormValues) => void;
  /** Whether the agent is being registered; then an agent that is listed with the same website is shown. */
  isNew?: boolean;
};

/** The fields of an agent, in a form that registers or edits it. */
export function AgentFields({ formik, errors, filled, onUndo, isNew = false }: AgentFieldsProps) {
  const { values } = formik;
  const { categories } = useSiteConfig();
  /** The website when the visitor left its field. */
  const [leftWebsite, setLeftWebsite] = useState('');

  // The browser would drop the line breaks.
  const handlePaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    if (!/[;\r\n]/.test(text)) return;
    event.preventDefault();
    const input = event.currentTarget;
    input.setRangeText(joinPastedLines(text), input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
    void formik.setFieldValue('capabilities', input.value);
  };

  const field = (name: keyof typeof initialValues) => ({
    ...formik.getFieldProps(name),
    id: toFieldId(name),
    dir: 'auto',
    size: 'md',
    inputContainer: withSource(filled?.[name]?.source, `Undo: ${name}`, () => onUndo?.(name)),
    classNames: { root: classes.field, label: classes.label, description: classes.description, input: classes.input },
    error: errors[name] && (
      <span className={classes.error}>
        <IconAlertCircle size={16} aria-hidden />
        {errors[name]}
      </span>
    ),
  });

  return (
    <>
      <TextInput
        {...field('name')}
        {...noAutofill}
        label="Agent Name"
        placeholder="My Helpful Agent"
        description={<Help count={countCharacters(values.name.trim())} max={MAX_NAME_LENGTH} />}
        {...required}
      />
      <Textarea
        {...field('description')}
        label="Description"
        placeholder="What does it do, for whom, and what does it need?"
        rows={DESCRIPTION_ROWS}
        description={
          <Help count={countCharacters(values.description.trim())} max={MAX_DESCRIPTION_LENGTH}>
            Plain text; web addresses become links.
          </Help>
        }
        {...required}
      />
      <NativeSelect
        {...field('category')}
        label="Category"
        data={toCategoryOptions(categories, values.category)}
        {...required}
      />
      <TextInput
        {...field('capabilities')}
        list={CAPABILITIES_LIST_ID}
        label="Capabilities"
        placeholder="translation, summaries, voice"
        description={
          <Help count={parseCapabilities(values.capabilities).length} max={MAX_CAPABILITIES}>
            Separated by commas, at most {MAX_CAPABILITIES}.
          </Help>
        }
        onPaste={handlePaste}
      />
      <CapabilityOptions id={CAPABILITIES_LIST_ID} text={values.capabilities} />
      <Textarea
        {...field('exampleTasks')}
        label="Example Tasks"
        placeholder="Find me a table for four on Friday."
        rows={EXAMPLE_TASK_ROWS}
        description={
          <Help count={parseLines(values.exampleTasks).length} max={MAX_EXAMPLE_TASKS}>
            Optional. One a line, each of {MIN_EXAMPLE_TASK_LENGTH} to {MAX_EXAMPLE_TASK_LENGTH} characters.
          </Help>
        }
      />
      <div className={classes.pairs}>
        <TextInput
          {...field('contactEmail')}
          type="email"
          label="Contact Email"
          placeholder="you@example.com"
          description={<Help>Shown on the agent’s page.</Help>}
          autoComplete="email"
          {...required}
        />
        <div>
          <TextInput
            {...field('website')}
            type="url"
            label="Website"
            placeholder="https://example.com"
            description={<Help>Optional.</Help>}
            autoComplete="url"
            onBlur={() => {
              const website = addScheme(values.website);
              setLeftWebsite(website);
              void formik.setFieldValue('website', website);
            }}
          />
          {isNew && <SameWebsite website={values.website === leftWebsite ? leftWebsite.trim() : ''} />}
        </div>
        <NativeSelect {...field('pricingModel')} label="Pricing Model" data={[...pricingModels]} />
        <NativeSelect {...field('apiAccess')} label="API Access" data={[...apiAccessOptions]} />
      </div>
    </>
  );
}

/** Says below an input where its value was found, with a button that takes the value back. */
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

/** The help text of a field and, with scripts, how much of it is used. */
function Help({ children, count = 0, max }: { children?: ReactNode; count?: number; max?: number }) {
  return (
    <>
      {children && <span className={classes.help}>{children}</span>}
      {max !== undefined && (
        <span className={`needs-scripts ${classes.counter}`} data-over={count > max || undefined}>
          {formatCount(count)} of {formatCount(max)}
        </span>
      )}
    </>
  );
}
