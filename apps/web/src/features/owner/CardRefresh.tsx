import type { Agent, Prefill } from '@agent-registry/contracts';
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
  const accept = ({ field, value }: Difference) => {
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
          {differences.map((difference) => (
            <li key={difference.field}>
              <Text size="sm" fw={600}>
                {difference.field}, from {difference.source}
              </Text>
              <Group gap="sm" wrap="nowrap" justify="space-between">
                <div dir="auto">
                  <del>{values[difference.field]}</del> <ins>{difference.value}</ins>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Accept ${difference.field}`}
                  onClick={() => accept(difference)}
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
