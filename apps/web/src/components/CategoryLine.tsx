import type { CategoryId } from '@agent-registry/contracts';
import { CategoryIcon, toCategoryColour } from './CategoryIcon.tsx';
import { useCategory } from '../lib/site-config.ts';
import classes from './CategoryLine.module.css';

export function CategoryLine({ category: id }: { category: CategoryId }) {
  const category = useCategory(id);
  return (
    <div className={classes.line} style={toCategoryColour(category)}>
      <CategoryIcon category={category} size={15} isPlain />
      {category.name}
    </div>
  );
}
