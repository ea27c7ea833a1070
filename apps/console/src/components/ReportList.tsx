import type { Report } from '@agent-registry/contracts';
import { Text } from '@mantine/core';
import { formatTime, labelOfReason } from '../labels.ts';
import { StrangersText } from './StrangersText.tsx';

export function ReportList({ reports }: { reports: readonly Report[] }) {
  return (
    <ul className="rows">
      {reports.map(({ reason, text, createdAt }, index) => (
        <li key={index}>
          <Text c="dimmed" size="sm">
            {labelOfReason(reason)}, {formatTime(createdAt)}
          </Text>
          {text !== null && <StrangersText text={text} />}
        </li>
      ))}
    </ul>
  );
}
