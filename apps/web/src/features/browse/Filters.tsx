import {
  formatCount,
  isChosen,
  listActiveFilters,
  optionFilters,
  toBrowseFields,
  toFirstPage,
  toggle,
  type BrowseParams,
  type OptionFilter,
} from '@agent-registry/contracts';
import { Button, CloseButton } from '@mantine/core';
import adjustmentsHorizontal from '../../icons/adjustments-horizontal.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { useRef, type SubmitEvent } from 'react';
import { useToday } from '../../components/use-today.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { listPeriods } from './list-periods.ts';
import classes from './Filters.module.css';
import { Choice, Menu, MenuPart } from './Menu.tsx';
import { SortMenu } from './SortMenu.tsx';
import { useFacets } from './use-facets.ts';

const FORM_ID = 'filters';

const [menus, more] = [
  optionFilters.filter((row) => !('isMore' in row)),
  optionFilters.filter((row) => 'isMore' in row),
];

/**
 * The menus Pricing, API access and More; on small screens one sheet, with the order. A choice applies at once. Without
 * scripts it is a form with a submit button, and the browser opens menus and sheet.
 * @param props.total the length of the list; undefined while it loads
 */
export function Filters({ total }: { total: number | undefined }) {
  const { chosen } = useChosenList();
  const form = useRef<HTMLFormElement>(null);
  const activeFilters = listActiveFilters(chosen).length;
  const closeSheet = (event: SubmitEvent) => {
    event.preventDefault();
    form.current?.hidePopover();
  };
  return (
    <>
      <button type="button" popoverTarget={FORM_ID} className={classes.opener} data-active={activeFilters > 0}>
        <Icon svg={adjustmentsHorizontal} size={16} aria-hidden />
        Filters{activeFilters > 0 && ` (${activeFilters})`}
      </button>
      <form
        ref={form}
        id={FORM_ID}
        popover="auto"
        action="/"
        className={classes.form}
        aria-label="Sort and narrow down"
        onSubmit={closeSheet}
      >
        <div className={classes.head}>
          <b>Filters</b>
          <CloseButton size="xl" popoverTarget={FORM_ID} popoverTargetAction="hide" aria-label="Close filters" />
        </div>
        {toBrowseFields(pickHidden(chosen)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <FilterMenus />
        <SortMenu />
        <div className={classes.foot}>
          <Button type="submit" fullWidth>
            <span className="needs-scripts">
              {total === undefined ? 'Show agents' : `Show ${formatCount(total)} ${total === 1 ? 'agent' : 'agents'}`}
            </span>
            <span className="without-scripts">Show agents</span>
          </Button>
        </div>
      </form>
    </>
  );
}

/** A menu for each filter with options; the rarer ones are in the menu More, with the day. */
function FilterMenus() {
  const { chosen, choose } = useChosenList();
  const facets = useFacets(chosen);
  const { since } = chosen;
  const today = useToday();
  const change = (changed: Partial<BrowseParams>) => choose({ ...toFirstPage(chosen), ...changed });
  const isActive = ({ name }: OptionFilter) => chosen[name] !== undefined;
  const toChoices = (filter: OptionFilter) => {
    const counts: Record<string, number> | undefined = facets?.[filter.name];
    return filter.options.map((option) => (
      <Choice
        key={option.value}
        type="checkbox"
        name={filter.name}
        option={option}
        count={counts?.[option.value]}
        isChosen={isChosen(chosen, filter, option.value)}
        onChange={() => change(toggle(chosen, filter, option.value))}
      />
    ));
  };
  return (
    <>
      {menus.map((filter) => (
        <Menu key={filter.name} label={filter.label} isActive={isActive(filter)}>
          {toChoices(filter)}
        </Menu>
      ))}
      <Menu label="More" isActive={more.some(isActive) || since !== undefined}>
        {more.map((filter) => (
          <MenuPart key={filter.name} label={filter.label}>
            {toChoices(filter)}
          </MenuPart>
        ))}
        <MenuPart label="Added">
          {[{ value: '', label: 'Any time' }, ...listPeriods(today)].map((option) => (
            <Choice
              key={option.value}
              type="radio"
              name="since"
              option={option}
              isChosen={option.value === (since ?? '')}
              onChange={() => change({ since: option.value || undefined })}
            />
          ))}
        </MenuPart>
      </Menu>
    </>
  );
}

/** The parts of a list that the form has no fields for. */
function pickHidden({ category, text, correct, capability, view }: BrowseParams): Partial<BrowseParams> {
  return { category, text, correct, capability, view };
}
