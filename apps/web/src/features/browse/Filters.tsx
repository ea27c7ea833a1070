import {
  countAgents,
  describeOrder,
  formatCount,
  isChosen,
  listActiveFilters,
  listOperators,
  optionFilters,
  parseText,
  toBrowseFields,
  toFirstPage,
  toggle,
  withoutFilters,
  type Option,
  type OptionFilter,
  type Page,
  sortOptions,
} from '@agent-registry/contracts';
import { Button, CloseButton } from '@mantine/core';
import adjustmentsHorizontal from '../../icons/adjustments-horizontal.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { useRef, type ComponentProps, type ReactNode, type SubmitEvent } from 'react';
import { useFacets } from '../../api/use-agent-list.ts';
import { focusContainer } from '../../components/focus-container.ts';
import { useToday } from '../../lib/site.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './Filters.module.css';

const FORM_ID = 'filters';

/** The filters in a popover; on small screens a sheet, with the order. A choice applies at once; without scripts it is a form. */
export function Filters({ list }: { list: Pick<Page, 'total' | 'totalBound'> | undefined }) {
  const { chosen } = useChosenList();
  const { category, text, correct, capability, view } = chosen;
  const form = useRef<HTMLFormElement>(null);
  const activeFilters = listActiveFilters(chosen).length;
  const closeSheet = (event: SubmitEvent) => {
    event.preventDefault();
    form.current?.hidePopover();
  };
  return (
    <>
      <button type="button" popoverTarget={FORM_ID} className="pill" data-active={activeFilters > 0}>
        <Icon svg={adjustmentsHorizontal} size={16} />
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
        {toBrowseFields({ category, text, correct, capability, view }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Parts />
        <SortSelect name="sort" className={classes.sort} />
        <div className={classes.foot}>
          <Button type="submit" fullWidth>
            <span className="needs-scripts">{`Show ${list ? countAgents(list) : 'agents'}`}</span>
            <span className="without-scripts">Show agents</span>
          </Button>
        </div>
      </form>
    </>
  );
}

function Parts() {
  const { chosen, choose } = useChosenList();
  const facets = useFacets(chosen);
  const today = useToday();
  const toChoices = (filter: OptionFilter) => {
    const counts: Record<string, number> | undefined = facets?.[filter.name];
    // None among the latest results says nothing about all of them.
    const describe = (agents = 0) => (agents > 0 || !facets?.totalBound) && formatCount(agents, facets?.totalBound);
    return filter.options.map(({ value, label }) => (
      <Choice
        key={value}
        type="checkbox"
        name={filter.name}
        {...{ value, label }}
        count={counts && describe(counts[value])}
        checked={isChosen(chosen, filter, value)}
        onChange={() => choose(toggle(chosen, filter, value))}
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
        {[{ value: '', label: 'Any time' }, ...listPeriods(today)].map(({ value, label }) => (
          <Choice
            key={value}
            type="radio"
            name="since"
            {...{ value, label }}
            checked={value === (chosen.since ?? '')}
            onChange={() => choose({ since: value || undefined })}
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

function Choice({ label, count, ...input }: ComponentProps<'input'> & { label: string; count?: ReactNode }) {
  return (
    <label className={classes.choice}>
      <input {...input} />
      <span>{label}</span> {count && <span className={classes.count}>{count}</span>}
    </label>
  );
}

/** The periods of the menu "Added", each by its first day. */
export function listPeriods(today: string): Option<string>[] {
  return [
    { value: shiftDay(today, { days: 7 }), label: 'Past week' },
    { value: shiftDay(today, { months: 1 }), label: 'Past month' },
    { value: shiftDay(today, { months: 12 }), label: 'Past year' },
  ];
}

/** A day that is earlier than another one, both in UTC, such as `2026-11-18`; the last of a month that is too short. */
function shiftDay(day: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastDate) - days)).toISOString().slice(0, 10);
}

export function ActiveFilters({ understood = '' }: { understood: string | undefined }) {
  const { chosen } = useChosenList();
  const operators = listOperators(understood);
  const active = [
    ...listActiveFilters(chosen).map(({ label, list }) => ({ label, change: list })),
    ...operators.map(({ label, rest }) => ({ label, change: { text: rest } })),
  ];
  const text = operators.length > 0 ? parseText(understood).words.trim().replaceAll(/\s+/gu, ' ') : chosen.text;
  if (active.length === 0) return null;
  return (
    <ul className={classes.tokens} aria-label="Active filters">
      {active.map(({ label, change }, index) => (
        <li key={`${index} ${label}`}>
          <ListLink
            change={change}
            onClick={focusContainer}
            className={classes.token}
            aria-label={`Remove the filter ${label}`}
          >
            <bdi>{label}</bdi> <span aria-hidden>×</span>
          </ListLink>
        </li>
      ))}
      <li>
        <ListLink change={withoutFilters({ ...toFirstPage(chosen), text })} onClick={focusContainer}>
          Clear all
        </ListLink>
      </li>
    </ul>
  );
}

export function SortSelect({ name, className }: { name?: string; className: string | undefined }) {
  const { chosen, choose } = useChosenList();
  const { category, text, sort } = chosen;
  const isSearch = !category && text !== '';
  const orders = sortOptions.filter(({ value }) => isSearch || value !== 'newest');
  return (
    <select
      aria-label="Sort"
      name={name}
      className={`pill ${className}`}
      data-active={sort !== undefined}
      value={orders.find(({ value }) => value === sort)?.value ?? ''}
      onChange={({ currentTarget }) =>
        choose({ sort: orders.find(({ value }) => value === currentTarget.value)?.value })
      }
    >
      <option value="">{describeOrder({ category, text })}</option>
      {orders.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
