import { siteConfig, toFirstPage } from '@agent-registry/contracts';
import { CategoryIcon } from '../../components/CategoryIcon.tsx';
import { linkAsButton } from '../../lib/link-as-button.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './CategoryFilter.module.css';

/**
 * The category filter: a button for each category, labelled with the first word of its name. It selects the category,
 * which clears the search text, or clears the selected one.
 */
export function CategoryFilter() {
  const { chosen } = useChosenList();
  const first = toFirstPage(chosen);
  return (
    <div role="group" aria-label="Filters" className={classes.pills}>
      {siteConfig.categories.map(({ id, name }) => (
        <ListLink
          key={id}
          {...linkAsButton}
          list={id === chosen.category ? { ...first, category: undefined } : { ...first, category: id, text: '' }}
          className={classes.pill}
          data-tooltip={name}
          aria-pressed={id === chosen.category}
        >
          <CategoryIcon category={id} size={16} isPlain />
          {name.split(' ')[0]}
        </ListLink>
      ))}
    </div>
  );
}
