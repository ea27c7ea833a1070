import { getCategory, type CategoryId } from '@agent-registry/contracts';
import { Badge } from '@mantine/core';
import classes from './CategoryBadge.module.css';

/** The name of a category on its colour. */
export function CategoryBadge({ category }: { category: CategoryId }) {
  const { name, colour } = getCategory(category);
  return (
    <Badge variant="light" color={colour} radius="sm" className={classes.badge}>
      {name}
    </Badge>
  );
}
