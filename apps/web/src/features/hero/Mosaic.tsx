import { getCategory, hashText, MARK_VIEW_BOX, toMarkPattern } from '@agent-registry/contracts';
import { useAgentList } from '../../api/use-agent-list.ts';
import { MAX_MARKS, useSite } from '../../lib/site.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import classes from './Mosaic.module.css';

/** Fewest marks that are shown. */
const MIN_MARKS = 12;

/** The patterns of the newest agents' marks as decoration: those that came with the page, else those of loaded agents. */
export function Mosaic() {
  const { categories } = useSiteConfig();
  const { marks } = useSite();
  const { agents = [] } = useAgentList({ text: '' }, { enabled: false });
  const shown = marks ?? agents.slice(0, MAX_MARKS).map(({ id, category }) => [hashText(id), category] as const);
  if (shown.length < MIN_MARKS) return null;
  return (
    <div className={classes.mosaic} aria-hidden>
      {shown.map(([hash, category]) => (
        <svg key={hash} viewBox={MARK_VIEW_BOX}>
          {toMarkPattern(hash, getCategory(categories, category)).map(({ colour, path }) => (
            <path key={colour} fill={colour} d={path} />
          ))}
        </svg>
      ))}
    </div>
  );
}
