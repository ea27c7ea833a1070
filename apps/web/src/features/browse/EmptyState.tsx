import { siteConfig } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { toBrowsePath, toFirstPage, type BrowseParams } from '../../navigation/browse-params.ts';
import { toResults } from '../../navigation/location-state.ts';
import { SectionLink } from '../../navigation/SectionLink.tsx';
import classes from './Results.module.css';
import { splitWords } from './split-words.ts';

/** Most words of a search that are offered alone. */
const MAX_WORDS = 5;

/** What a visitor can do where no agent was found: search for less, or go elsewhere. */
export function EmptyState({ params }: { params: BrowseParams }) {
  const { category, text, pricing, apiAccess } = params;
  const first = toFirstPage(params);
  const words = category ? [] : splitWords(text).slice(0, MAX_WORDS);
  return (
    <div className={classes.ways}>
      {text && !category && (
        <p dir="auto">
          You searched for ‘{text}’.{' '}
          <Link to={toBrowsePath({ ...first, text: '' })} {...toResults}>
            Clear search
          </Link>
        </p>
      )}
      {(pricing ?? apiAccess) && (
        <p>
          <Link to={toBrowsePath({ ...first, pricing: undefined, apiAccess: undefined })} {...toResults}>
            Search without filters
          </Link>
        </p>
      )}
      {words.length > 1 && (
        <ul aria-label="Searches for some of the words">
          {words.map((word) => (
            <li key={word}>
              <Link to={toBrowsePath({ ...first, text: word })} {...toResults} className="pill" dir="auto">
                {word}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <ul aria-label="Agents of a category">
        {siteConfig.categories.map(({ id, name }) => (
          <li key={id}>
            <Link to={toBrowsePath({ category: id })} {...toResults}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <p>
        Do you know one that is missing? <SectionLink section="register">Register one</SectionLink>
      </p>
    </div>
  );
}
