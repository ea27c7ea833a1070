import { Group, Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import classes from './Rating.module.css';

/** A rating with one decimal and the number of reviews behind it. */
export function Rating({ rating, reviewCount }: { rating: number; reviewCount: number }) {
  return (
    <Group gap={6} wrap="nowrap">
      <IconStarFilled size={16} className={classes.star} data-rated={reviewCount > 0 || undefined} aria-hidden />
      <Text component="span" size="sm" fw={600}>
        {rating.toFixed(1)}
      </Text>
      <Text component="span" size="sm" c="var(--muted-text)" className={classes.reviews}>
        ({reviewCount} reviews)
      </Text>
    </Group>
  );
}
