import { labelOfValue, titleOf, type Agent, type Prefill } from '@agent-registry/contracts';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import classes from '../../components/agent-form/AgentForm.module.css';
import { toFieldId } from '../../components/agent-form/ErrorSummary.tsx';
import type { RegisterFormValues } from '../../components/agent-form/form-values.ts';
import { PrefillForm } from '../../components/agent-form/PrefillForm.tsx';
import { findDifferences, type Difference } from '../../components/agent-form/prefill-values.ts';

type CardRefreshProps = {
  agent: Agent;
  values: RegisterFormValues;
  onAccept: (field: keyof RegisterFormValues, value: string) => void;
};

/** Compares the form with the owner's website or agent card, and takes over what the owner accepts, field by field. */
export function CardRefresh({ agent, values, onAccept }: CardRefreshProps) {
  const [differences, setDifferences] = useState<Difference[]>([]);
  const handleFound = (prefill: Prefill) => {
    const found = findDifferences(values, prefill);
    setDifferences(found);
    return found.length === 0 ? 'This entry says the same.' : 'Accept what this entry should say, then save it.';
  };
  const accept = (field: keyof RegisterFormValues, value: string) => {
    onAccept(field, value);
    setDifferences(differences.filter((other) => other.field !== field));
    // The button is about to be removed.
    document.getElementById(toFieldId(field))?.focus();
  };
  return (
    <>
      <PrefillForm
        question="Refresh from my card"
        url={agent.website ?? ''}
        onFound={handleFound}
        onCategory={(id) => onAccept('category', id)}
      />
      {differences.length > 0 && (
        <ul aria-label="Differences" className={classes.differences}>
          {differences.map(({ field, value, source }) => (
            <li key={field}>
              <Text size="sm" fw={600}>
                {titleOf(field)}, from {source}
              </Text>
              <Group gap="sm" wrap="nowrap" justify="space-between">
                <div dir="auto">
                  <del>{labelOfValue(field, values[field])}</del> <ins>{labelOfValue(field, value)}</ins>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Accept ${titleOf(field)}`}
                  onClick={() => accept(field, value)}
                >
                  Accept
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
