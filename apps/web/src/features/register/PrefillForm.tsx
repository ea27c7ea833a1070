import { addScheme, getCategory, PREFILL_PARAMETER, type Prefill } from '@agent-registry/contracts';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { useApi } from '../../api/trpc.ts';
import { noAutofill } from '../../components/agent-form/AgentFields.tsx';
import { describeFailure } from '../../components/FormFailure.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import classes from './Register.module.css';

type PrefillFormProps = {
  /** Takes what was found; returns what became of it, as a sentence. */
  onFound: (prefill: Prefill) => string;
  onCategory: (id: string) => void;
  url?: string | undefined;
  message?: string | undefined;
};

/** Fills in another form from an address. Without scripts the browser posts it, and gets the page with the filled form. */
export function PrefillForm({ onFound, onCategory, url = '', message }: PrefillFormProps) {
  const { client } = useApi();
  const { categories } = useSiteConfig();
  const { data, error, isPending, isIdle, mutate } = useMutation({
    mutationFn: async (address: string) => {
      const prefill = await client.prefill.read.mutate({ url: addScheme(address.trim()) });
      return { prefill, result: onFound(prefill) };
    },
  });
  const handleSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = new FormData(event.currentTarget).get('url');
    if (typeof address === 'string') mutate(address);
  };
  const { category = null, redirectsTo = null } = data?.prefill ?? {};
  return (
    <form
      method="post"
      action={`/?${PREFILL_PARAMETER}=form#register`}
      className={classes.prefill}
      onSubmit={handleSubmit}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          id="prefill-url"
          name="url"
          label="Fill in from its address"
          placeholder="https://example.com"
          inputMode="url"
          required
          withAsterisk={false}
          size="md"
          maxLength={2_048}
          defaultValue={url}
          flex={1}
          {...noAutofill}
        />
        <Button type="submit" size="md" variant="default" disabled={isPending}>
          {isPending ? 'Reading...' : 'Fill in'}
        </Button>
      </Group>
      <Text role="status" size="sm" c="var(--muted-text)">
        {isIdle ? message : error ? describeFailure(error) : data?.result}
        {redirectsTo !== null && ` It redirects to ${redirectsTo}, which you can try instead.`}
      </Text>
      {category !== null && (
        <Button variant="default" size="xs" onClick={() => onCategory(category)}>
          Category: {getCategory(categories, category).name}?
        </Button>
      )}
    </form>
  );
}
