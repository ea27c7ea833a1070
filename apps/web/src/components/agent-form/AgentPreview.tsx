import type { Agent } from '@agent-registry/contracts';
import { Text } from '@mantine/core';
import { memo, useDeferredValue, useState } from 'react';
import { AgentCard } from '../AgentCard.tsx';
import { toNewAgentInput, type RegisterFormValues } from './form-values.ts';
import classes from './AgentForm.module.css';

/** The card of the agent in the form, as the list will show it. It repeats the fields, so it is for sighted visitors only. */
export function AgentPreview({ values }: { values: RegisterFormValues }) {
  // Typing does not wait for the card.
  return <Preview values={useDeferredValue(values)} />;
}

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
      <Text size="sm" fw={600} mb="xs">
        Preview
      </Text>
      <AgentCard agent={agent} />
    </div>
  );
});
