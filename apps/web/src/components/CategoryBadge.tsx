import { getCategory, type CategoryId } from '@agent-registry/contracts';
import classes from './CategoryBadge.module.css';
import { toCategoryColours } from './category-colours.ts';

/** The name of a category on its colour. */
export function CategoryBadge({ category }: { category: CategoryId }) {
  return (
    <span className={classes.badge} style={toCategoryColours(category)}>
      {getCategory(category).name}
    </span>
  );
}
