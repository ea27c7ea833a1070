import { isFiltered, toFirstPage, withoutFilters, type BrowseParams } from '@agent-registry/contracts';
import { useSite } from '../../lib/site.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { ListLink } from '../../navigation/ListLink.tsx';
import { SectionLink } from '../../navigation/SectionLink.tsx';
import classes from './Results.module.css';
import { splitWords } from './split-words.ts';

/** Most words of a search that are offered alone. */
const MAX_WORDS = 5;

/** What a visitor can do where no agent was found: search for less, or go elsewhere. */
export function EmptyState({ params }: { params: BrowseParams }) {
  const { category, text } = params;
  const { categories } = useSiteConfig();
  const { registration } = useSite();
  const first = toFirstPage(params);
  const words = category ? [] : splitWords(text).slice(0, MAX_WORDS);
  return (
    <div className={classes.ways}>
      {text && !category && (
        <p dir="auto">
          You searched for ‘{text}’. <ListLink list={{ ...first, text: '' }}>Clear search</ListLink>
        </p>
      )}
      {isFiltered(params) && (
        <p>
          <ListLink list={withoutFilters(first)}>Search without filters</ListLink>
        </p>
      )}
      {words.length > 1 && (
        <ul aria-label="Searches for some of the words">
          {words.map((word) => (
            <li key={word}>
              <ListLink list={{ ...first, text: word }} className="pill" dir="auto">
                {word}
              </ListLink>
            </li>
          ))}
        </ul>
      )}
      <ul aria-label="Agents of a category">
        {categories.map(({ id, name }) => (
          <li key={id}>
            <ListLink list={{ category: id, text: '' }}>{name}</ListLink>
          </li>
        ))}
      </ul>
      {registration !== 'closed' && (
        <p>
          Do you know one that is missing? <SectionLink section="register">Register one</SectionLink>
        </p>
      )}
    </div>
  );
}
