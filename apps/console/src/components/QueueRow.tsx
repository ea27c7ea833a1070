import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Outputs } from '../api.ts';
import { countOf, formatTime, labelOfField, toPlainText } from '../labels.ts';
import { StrangersText } from './StrangersText.tsx';

type QueueRowProps = {
  item: Outputs['queue']['list']['items'][number];
  isCurrent: boolean;
  isChecked: boolean;
  onOpen: () => void;
  onToggle: () => void;
};

/** An entry of the queue. */
export function QueueRow({ item: { agent, kind, patch, since, reports }, ...props }: QueueRowProps) {
  const { isCurrent, isChecked, onOpen, onToggle } = props;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const fields = Object.keys(patch).map(labelOfField).join(', ');
  return (
    <li ref={row} className="row" data-current={isCurrent || undefined}>
      <Checkbox aria-label={`Choose ${toPlainText(agent.name)}`} checked={isChecked} onChange={onToggle} size="md" />
      <UnstyledButton onClick={onOpen} aria-current={isCurrent}>
        <Text fw={550}>
          <StrangersText text={agent.name} />
        </Text>
        <Text size="sm" c="dimmed">
          {kind === 'new' ? 'New' : `Edit: ${fields}`}, {formatTime(since)}
          {reports > 0 && `, ${countOf(reports, 'report')}`}
        </Text>
      </UnstyledButton>
    </li>
  );
}
