import { fold, formatCount, toFirstPage } from '@agent-registry/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/trpc.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './OftenListed.module.css';
import { toFacetsInput } from './use-facets.ts';

/** Ways into the list by the capabilities that most of its agents have; nothing where no two agents share one. */
export function OftenListed() {
  const { chosen } = useChosenList();
  // Those of the list before stay while the next ones load, so that nothing moves.
  const facets = useQuery({
    ...useApi().queries.agents.facets.queryOptions(toFacetsInput(chosen)),
    placeholderData: keepPreviousData,
  });
  const capabilities = facets.data?.capabilities ?? [];
  if (capabilities.length === 0) return null;
  const isChosen = (name: string) => chosen.capability !== undefined && fold(name) === fold(chosen.capability);
  return (
    <nav aria-label="Often listed" className={classes.root}>
      Often listed:
      {capabilities.map(({ name, agents }) => (
        <ListLink
          key={name}
          list={{ ...toFirstPage(chosen), capability: isChosen(name) ? undefined : name }}
          aria-current={isChosen(name) || undefined}
        >
          <span>
            <bdi>{name}</bdi> <small>{formatCount(agents)}</small>
          </span>
        </ListLink>
      ))}
    </nav>
  );
}
