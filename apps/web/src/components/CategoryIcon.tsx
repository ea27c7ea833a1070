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

/** The icon of a category on its colour; `size` in pixels. */
export function CategoryIcon({ category, size = 44 }: { category: CategoryId; size?: number }) {
  const Icon = icons[category];
  return (
    <span className={classes.icon} style={{ ...toCategoryColours(category), width: size, height: size }} aria-hidden>
      <Icon size="58%" stroke={1.6} />
    </span>
  );
}
