import {
  formatCount,
  isChosen,
  listActiveFilters,
  optionFilters,
  toBrowseFields,
  toFirstPage,
  toggle,
  type BrowseParams,
  type Option,
  type OptionFilter,
} from '@agent-registry/contracts';
import { Button, CloseButton } from '@mantine/core';
import adjustmentsHorizontal from '../../icons/adjustments-horizontal.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { useRef, type ReactNode, type SubmitEvent } from 'react';
import { useToday } from '../../components/use-today.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { listPeriods } from './list-periods.ts';
import classes from './Filters.module.css';
import { SortSelect } from './SortSelect.tsx';
import { useFacets } from './use-facets.ts';

const FORM_ID = 'filters';

/**
 * The filters of the list in a popover; on small screens a sheet, with the order. A choice applies at once. Without scripts
 * it is a form with a submit button, which the browser opens.
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
      <button type="button" popoverTarget={FORM_ID} className="pill" data-active={activeFilters > 0}>
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
        <Parts />
        <SortSelect name="sort" className={classes.sort} />
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

/** The choices of each filter with options, and of the day. */
function Parts() {
  const { chosen, choose } = useChosenList();
  const facets = useFacets(chosen);
  const today = useToday();
  const change = (changed: Partial<BrowseParams>) => choose({ ...toFirstPage(chosen), ...changed });
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
    <div className={classes.parts}>
      {optionFilters.map((filter) => (
        <Part key={filter.name} label={filter.label}>
          {toChoices(filter)}
        </Part>
      ))}
      <Part label="Added">
        {[{ value: '', label: 'Any time' }, ...listPeriods(today)].map((option) => (
          <Choice
            key={option.value}
            type="radio"
            name="since"
            option={option}
            isChosen={option.value === (chosen.since ?? '')}
            onChange={() => change({ since: option.value || undefined })}
          />
        ))}
      </Part>
    </div>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={classes.part}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

type ChoiceProps = {
  type: 'checkbox' | 'radio';
  name: string;
  option: Option<string>;
  /** How many agents the choice would leave. */
  count?: number | undefined;
  isChosen: boolean;
  onChange: () => void;
};

function Choice({ type, name, option: { value, label }, count, isChosen, onChange }: ChoiceProps) {
  return (
    <label className={classes.choice}>
      <input type={type} name={name} value={value} checked={isChosen} onChange={onChange} />
      <span>{label}</span> {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
    </label>
  );
}

/** The parts of a list that the form has no fields for. */
function pickHidden({ category, text, correct, capability, view }: BrowseParams): Partial<BrowseParams> {
  return { category, text, correct, capability, view };
}
