import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { CategoryIcon, toCategoryColour } from '../../components/CategoryIcon.tsx';
import { linkAsButton } from '../../navigation/SectionLink.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './CategoryFilter.module.css';

export function CategoryFilter() {
  const { chosen } = useChosenList();
  const { categories } = useSiteConfig();
  const counts = useQuery(useApi().queries.stats.get.queryOptions()).data?.agentsPerCategory;
  return (
    <div
      role="group"
      aria-label="Filters"
      className={classes.pills}
      // Browsers leave a pill that is cut off at the end of the line where it is.
      onFocus={({ target }) =>
        target.matches(':focus-visible') && target.scrollIntoView({ block: 'nearest', inline: 'center' })
      }
    >
      {categories.map((category) => (
        <ListLink
          key={category.id}
          {...linkAsButton}
          change={category.id === chosen.category ? { category: undefined } : { category: category.id, text: '' }}
          className={classes.pill}
          style={toCategoryColour(category)}
          data-tooltip={category.name}
          aria-pressed={category.id === chosen.category}
        >
          <CategoryIcon category={category} size={16} />
          {category.name.split(' ')[0]}
          {/* Beside the name that assistive technology reads, which is the first word. */}
          {counts && (
            <span className={classes.count} aria-hidden>
              {shorten(counts[category.id] ?? 0)}
            </span>
          )}
        </ListLink>
      ))}
    </div>
  );
}

/** A count of at most four characters below a million, since six of them stand in one line. */
function shorten(count: number) {
  return count < 1_000 ? count : `${(count / 1_000).toFixed(count < 9_950 ? 1 : 0)}k`;
}
