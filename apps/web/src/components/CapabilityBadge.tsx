import { Badge } from '@mantine/core';
import classes from './CapabilityBadge.module.css';
import { MarkedText } from './MarkedText.tsx';

/** A capability of an agent, whole, however long. */
export function CapabilityBadge({ capability, size = 'md' }: { capability: string; size?: 'md' | 'lg' }) {
  return (
    <Badge variant="default" size={size} radius="sm" className={classes.badge} dir="auto">
      <MarkedText>{capability}</MarkedText>
    </Badge>
  );
}
