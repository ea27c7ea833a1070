import { Badge } from '@mantine/core';
import classes from './CapabilityBadge.module.css';

/** A capability of an agent, whole, however long. */
export function CapabilityBadge({ capability, size = 'md' }: { capability: string; size?: 'md' | 'lg' }) {
  return (
    <Badge variant="default" size={size} radius="sm" className={classes.badge} dir="auto">
      {capability}
    </Badge>
  );
}
