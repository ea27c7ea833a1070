import type { Category, CategoryIconName, CategoryId } from '@agent-registry/contracts';
import box from '../icons/box.svg?raw';
import chartHistogram from '../icons/chart-histogram.svg?raw';
import eyeSearch from '../icons/eye-search.svg?raw';
import language from '../icons/language.svg?raw';
import messageChatbot from '../icons/message-chatbot.svg?raw';
import palette from '../icons/palette.svg?raw';
import settingsAutomation from '../icons/settings-automation.svg?raw';
import { Icon } from './Icon.tsx';
import type { CSSProperties } from 'react';
import classes from './CategoryIcon.module.css';
import { useCategory } from '../lib/site.ts';

/** The icons that every page has; the others are symbols in the page of a registry that uses them. */
export const commonIcons: Partial<Record<CategoryIconName, string>> = {
  'message-chatbot': messageChatbot,
  'settings-automation': settingsAutomation,
  'chart-histogram': chartHistogram,
  palette,
  'eye-search': eyeSearch,
  language,
  box,
};

/** An icon in the colour `--category` of an element around it. */
export function CategoryIcon({ category: { icon }, size }: { category: Category; size: number }) {
  const svg = commonIcons[icon];
  if (svg) return <Icon svg={svg} size={size} className={classes.icon} />;
  return (
    <svg className={`icon ${classes.icon}`} width={size} height={size} aria-hidden>
      <use href={`#${toSymbolId(icon)}`} />
    </svg>
  );
}

export function toCategoryColour({ colour }: Category): CSSProperties {
  return { '--category': colour } as CSSProperties;
}

export const toSymbolId = (icon: CategoryIconName) => `icon-${icon}`;

export function CategoryLine({ category: id }: { category: CategoryId }) {
  const category = useCategory(id);
  return (
    <div className={classes.line} style={toCategoryColour(category)}>
      <CategoryIcon category={category} size={15} />
      {category.name}
    </div>
  );
}
