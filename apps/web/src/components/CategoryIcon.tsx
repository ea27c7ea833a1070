import { getCategory, type CategoryId } from '@agent-registry/contracts';
import { ThemeIcon, type ThemeIconProps } from '@mantine/core';
import {
  IconChartHistogram,
  IconEyeSearch,
  IconLanguage,
  IconMessageChatbot,
  IconPalette,
  IconSettingsAutomation,
  type Icon,
} from '@tabler/icons-react';

const icons: Record<CategoryId, Icon> = {
  chatbot: IconMessageChatbot,
  automation: IconSettingsAutomation,
  analytics: IconChartHistogram,
  creative: IconPalette,
  vision: IconEyeSearch,
  language: IconLanguage,
};

type CategoryIconProps = Omit<ThemeIconProps, 'children' | 'color'> & { category: CategoryId };

/** The icon of a category on its colour. */
export function CategoryIcon({ category, ...props }: CategoryIconProps) {
  const Icon = icons[category];
  return (
    <ThemeIcon variant="light" size={44} radius="md" color={getCategory(category).colour} aria-hidden {...props}>
      <Icon style={{ width: '58%', height: '58%' }} stroke={1.6} />
    </ThemeIcon>
  );
}
