import {
  fold,
  functionWords,
  isFiltered,
  toFirstPage,
  withoutFilters,
  type BrowseParams,
} from '@agent-registry/contracts';
import { useSite, useSiteConfig } from '../../lib/site.ts';
import { ListLink } from '../../navigation/ListLink.tsx';
import { SectionLink } from '../../navigation/SectionLink.tsx';
import classes from './Results.module.css';

const MAX_WORDS = 5;

/** Examples of search operators; docs/api.md describes all of them. */
const operators: readonly (readonly [typed: string, results: string])[] = [
  ['"customer support"', 'with a phrase'],
  ['-google', 'without a word'],
  ['pricing:free', 'of a price'],
  ['api:yes', 'with an API'],
  ['by:example.com', 'by website'],
];

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
          You searched for ‘{text}’. <ListLink change={{ text: '' }}>Clear search</ListLink>
        </p>
      )}
      {isFiltered(params) && (
        <p>
          <ListLink change={withoutFilters(first)}>Search without filters</ListLink>
        </p>
      )}
      {words.length > 1 && (
        <ul aria-label="Searches for some of the words">
          {words.map((word) => (
            <li key={word}>
              <ListLink change={{ text: word }} className="pill" dir="auto">
                {word}
              </ListLink>
            </li>
          ))}
        </ul>
      )}
      {text && !category && (
        <>
          <p>A search can also find agents:</p>
          <ul aria-label="Examples of searches">
            {operators.map(([typed, results]) => (
              <li key={typed}>
                {results}, <code>{typed}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <ul aria-label="Agents of a category">
        {categories.map(({ id, name }) => (
          <li key={id}>
            <ListLink change={{ ...withoutFilters(first), category: id, text: '', sort: undefined }}>{name}</ListLink>
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

/** The folded words of a search between blanks; function words only if there are no others. */
function splitWords(text: string): string[] {
  const words = [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '');
  const contentWords = words.filter((word) => !functionWords.has(word));
  return contentWords.length > 0 ? contentWords : words;
}
