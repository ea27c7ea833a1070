import type { CategoryId } from '@agent-registry/contracts';
import { toCategoryColours } from './category-colours.ts';
import { CategoryIcon } from './CategoryIcon.tsx';
import classes from './CategoryLine.module.css';
import { useCategory } from './use-category.ts';

/** The icon and the name of a category in its colour. */
export function CategoryLine({ category: id }: { category: CategoryId }) {
  const category = useCategory(id);
  return (
    <div className={classes.line} style={toCategoryColours(category)}>
      <CategoryIcon category={category} size={15} isPlain />
      {category.name}
    </div>
  );
}
