import type { CategoryId } from '@agent-registry/contracts';
import {
  IconChartHistogram,
  IconEyeSearch,
  IconLanguage,
  IconMessageChatbot,
  IconPalette,
  IconSettingsAutomation,
  type Icon,
} from '@tabler/icons-react';
import { toCategoryColours } from './category-colours.ts';
import classes from './CategoryIcon.module.css';

const icons: Record<CategoryId, Icon> = {
  chatbot: IconMessageChatbot,
  automation: IconSettingsAutomation,
  analytics: IconChartHistogram,
  creative: IconPalette,
  vision: IconEyeSearch,
  language: IconLanguage,
};

type CategoryIconProps = {
  category: CategoryId;
  /** In pixels. */
  size?: number;
  /** Without the tile behind it. */
  isPlain?: boolean;
};

/** The icon of a category in its colour, on a tile or plain. */
export function CategoryIcon({ category, size = 44, isPlain = false }: CategoryIconProps) {
  const Icon = icons[category];
  const colours = toCategoryColours(category);
  if (isPlain) return <Icon size={size} stroke={1.8} style={colours} className={classes.plain} aria-hidden />;
  return (
    <span className={classes.icon} style={{ ...colours, width: size, height: size }} aria-hidden>
      <Icon size="58%" stroke={1.6} />
    </span>
  );
}
