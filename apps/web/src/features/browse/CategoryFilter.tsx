import { siteConfig, type CategoryId } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { CategoryIcon } from '../../components/CategoryIcon.tsx';
import { linkAsButton } from '../../components/link-as-button.ts';
import { toResults } from '../../navigation/location-state.ts';
import classes from './CategoryFilter.module.css';

type CategoryFilterProps = {
  selected: CategoryId | undefined;
  /** The path that selects a category, or clears the selected one. */
  togglePath: (category: CategoryId) => string;
};

/** The category filter: a button for each category, labelled with the first word of its name. */
export function CategoryFilter({ selected, togglePath }: CategoryFilterProps) {
  return (
    <div role="group" aria-label="Filters" className={classes.pills}>
      {siteConfig.categories.map(({ id, name }) => (
        <Link
          key={id}
          {...linkAsButton}
          to={togglePath(id)}
          {...toResults}
          className={classes.pill}
          data-tooltip={name}
          aria-pressed={id === selected}
        >
          <CategoryIcon category={id} size={16} isPlain />
          {name.split(' ')[0]}
        </Link>
      ))}
    </div>
  );
}
