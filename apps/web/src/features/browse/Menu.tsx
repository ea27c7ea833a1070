import { formatCount, type Option } from '@agent-registry/contracts';
import chevronDown from '../../icons/chevron-down.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import type { ReactNode } from 'react';
import classes from './Menu.module.css';

type MenuProps = {
  label: string;
  /** The name of its group of choices; by default the label. */
  name?: string;
  isActive: boolean;
  children: ReactNode;
};

/** A menu of choices; in the sheet of a small screen a heading with its choices below. */
export function Menu({ label, name = label, isActive, children }: MenuProps) {
  return (
    <details className={classes.menu}>
      <summary className={`pill ${classes.summary}`} data-active={isActive}>
        {label}
        <Icon svg={chevronDown} size={14} aria-hidden />
      </summary>
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{name}</legend>
        {children}
      </fieldset>
    </details>
  );
}

/** A part of a menu, with a heading. */
export function MenuPart({ label, children }: Pick<MenuProps, 'label' | 'children'>) {
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

/** A choice of a menu. */
export function Choice({ type, name, option: { value, label }, count, isChosen, onChange }: ChoiceProps) {
  return (
    <label className={classes.choice}>
      <input type={type} name={name} value={value} checked={isChosen} onChange={onChange} />
      <span>{label}</span> {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
    </label>
  );
}
