import {
  describeOrder,
  formatCount,
  pricingModels,
  provedOption,
  sortOptions,
  toBrowseFields,
  toFirstPage,
  type BrowseParams,
  type Option,
} from '@agent-registry/contracts';
import { Button, CloseButton } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type SubmitEvent } from 'react';
import { useToday } from '../../components/use-today.ts';
import { isComposing } from '../../lib/is-composing.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { apiOptions, listActiveFilters, listPeriods, toggle } from './active-filters.ts';
import classes from './Filters.module.css';
import { useFacets } from './use-facets.ts';

const FORM_ID = 'filters';

/**
 * The menus Pricing, API access, Owner, Added and Sort; on small screens one sheet. A choice applies at once. Without
 * scripts it is a form with a submit button, and the browser opens menus and sheet.
 * @param props.total the length of the list; undefined while it loads
 */
export function Filters({ total }: { total: number | undefined }) {
  const { chosen: params, choose } = useChosenList();
  const facets = useFacets(params);
  const form = useRef<HTMLFormElement>(null);
  const { pricing = [], apiAccess = [], proved = [], since, sort } = params;
  const today = useToday();
  const activeFilters = listActiveFilters(params).length;
  const orders = sortOptions.filter(({ value }) => isSearch(params) || value !== 'newest');
  const change = (changed: Partial<BrowseParams>) => choose({ ...toFirstPage(params), ...changed });

  useEffect(() => {
    const closeOthers = ({ type, target }: Event) => {
      for (const menu of form.current?.querySelectorAll('details') ?? []) {
        // A press on a text of the menu focuses the section around it.
        const isAround = type === 'focusin' && (target as Node).contains(menu);
        if (!isAround && !menu.contains(target as Node)) menu.open = false;
      }
    };
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, closeOthers);
    return () => {
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, closeOthers);
    };
  }, []);

  const closeOnEscape = ({ key, target, nativeEvent }: KeyboardEvent) => {
    if (key !== 'Escape' || isComposing(nativeEvent)) return;
    const menu = target instanceof Element ? target.closest('details') : null;
    if (!menu?.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  };
  const closeSheet = (event: SubmitEvent) => {
    event.preventDefault();
    form.current?.hidePopover();
  };
  return (
    <>
      <button type="button" popoverTarget={FORM_ID} className={classes.opener} data-active={activeFilters > 0}>
        <IconAdjustmentsHorizontal size={16} aria-hidden />
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
        onKeyDown={closeOnEscape}
      >
        <div className={classes.head}>
          <b>Filters</b>
          <CloseButton size="xl" popoverTarget={FORM_ID} popoverTargetAction="hide" aria-label="Close filters" />
        </div>
        {toBrowseFields(pickHidden(params)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Menu label="Pricing" isActive={pricing.length > 0}>
          {pricingModels.map((option) => (
            <Choice
              key={option.value}
              type="checkbox"
              name="pricing"
              option={option}
              count={facets?.pricing[option.value]}
              isChosen={pricing.includes(option.value)}
              onChange={() => change({ pricing: toggle(pricing, option.value) })}
            />
          ))}
        </Menu>
        <Menu label="API access" isActive={apiAccess.length > 0}>
          {apiOptions.map((option) => (
            <Choice
              key={option.value}
              type="checkbox"
              name="apiAccess"
              option={option}
              count={facets?.apiAccess[option.value]}
              isChosen={apiAccess.includes(option.value)}
              onChange={() => change({ apiAccess: toggle(apiAccess, option.value) })}
            />
          ))}
        </Menu>
        <Menu label="Owner" isActive={proved.length > 0}>
          <Choice
            type="checkbox"
            name="proved"
            option={provedOption}
            count={facets?.proved.yes}
            isChosen={proved.length > 0}
            onChange={() => change({ proved: toggle(proved, provedOption.value) })}
          />
        </Menu>
        <Menu label="Added" isActive={since !== undefined}>
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
        </Menu>
        <Menu label={`Sort: ${describeOrder(params)}`} name="Sort" isActive={sort !== undefined}>
          <Choice
            type="radio"
            name="sort"
            option={{ value: '', label: isSearch(params) ? 'Best match first' : 'Newest first' }}
            isChosen={!orders.some(({ value }) => value === sort)}
            onChange={() => change({ sort: undefined })}
          />
          {orders.map((option) => (
            <Choice
              key={option.value}
              type="radio"
              name="sort"
              option={option}
              isChosen={option.value === sort}
              onChange={() => change({ sort: option.value })}
            />
          ))}
        </Menu>
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

type MenuProps = {
  label: string;
  /** The name of its group of choices; by default the label. */
  name?: string;
  isActive: boolean;
  children: ReactNode;
};

function Menu({ label, name = label, isActive, children }: MenuProps) {
  return (
    <details className={classes.menu}>
      <summary className={`pill ${classes.summary}`} data-active={isActive}>
        {label}
        <IconChevronDown size={14} aria-hidden />
      </summary>
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{name}</legend>
        {children}
      </fieldset>
    </details>
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

function isSearch({ category, text }: BrowseParams): boolean {
  return !category && text !== '';
}
