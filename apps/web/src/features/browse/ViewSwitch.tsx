import { toFirstPage } from '@agent-registry/contracts';
import { linkAsButton } from '../../lib/link-as-button.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './ViewSwitch.module.css';

/** Shows the list as cards or as rows. */
export function ViewSwitch() {
  const { chosen } = useChosenList();
  return (
    <div role="group" aria-label="View" className={classes.root}>
      {([undefined, 'rows'] as const).map((view) => (
        <ListLink
          key={view ?? 'cards'}
          {...linkAsButton}
          list={{ ...toFirstPage(chosen), view }}
          aria-pressed={chosen.view === view}
          // The Tab key stops at the other view.
          tabIndex={chosen.view === view ? -1 : 0}
        >
          {view ? 'Rows' : 'Cards'}
        </ListLink>
      ))}
    </div>
  );
}
