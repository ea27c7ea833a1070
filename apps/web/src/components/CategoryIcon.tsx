import type { Category, CategoryIconName } from '@agent-registry/contracts';
import {
  IconBox,
  IconChartHistogram,
  IconEyeSearch,
  IconLanguage,
  IconMessageChatbot,
  IconPalette,
  IconSettingsAutomation,
  type Icon,
} from '@tabler/icons-react';
import type { SVGProps } from 'react';
import { toCategoryColours } from './category-colours.ts';
import classes from './CategoryIcon.module.css';

/** The icons that every page has; the others are symbols in the page of a registry that uses them. */
const icons: Partial<Record<CategoryIconName, Icon>> = {
  'message-chatbot': IconMessageChatbot,
  'settings-automation': IconSettingsAutomation,
  'chart-histogram': IconChartHistogram,
  palette: IconPalette,
  'eye-search': IconEyeSearch,
  language: IconLanguage,
  box: IconBox,
};

type CategoryIconProps = {
  category: Category;
  /** In pixels. */
  size?: number;
  /** Without the tile behind it. */
  isPlain?: boolean;
};

/** The icon of a category in its colour, on a tile or plain. */
export function CategoryIcon({ category, size = 44, isPlain = false }: CategoryIconProps) {
  const { icon } = category;
  const Icon = icons[icon];
  const colours = toCategoryColours(category);
  const plain = { style: colours, className: classes.plain, 'aria-hidden': true } as const;
  if (isPlain) {
    return Icon ? <Icon size={size} stroke={1.8} {...plain} /> : <SymbolIcon icon={icon} size={size} {...plain} />;
  }
  return (
    <span className={classes.icon} style={{ ...colours, width: size, height: size }} aria-hidden>
      {Icon ? <Icon size="58%" stroke={1.6} /> : <SymbolIcon icon={icon} size="58%" />}
    </span>
  );
}

/** The id of the symbol of an icon. */
export const toSymbolId = (icon: CategoryIconName) => `icon-${icon}`;

type SymbolIconProps = { icon: CategoryIconName; size: number | string } & SVGProps<SVGSVGElement>;

function SymbolIcon({ icon, size, ...props }: SymbolIconProps) {
  return (
    <svg
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <use href={`#${toSymbolId(icon)}`} />
    </svg>
  );
}
