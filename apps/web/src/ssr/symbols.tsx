import type { CategoryIconName, SiteConfig } from '@agent-registry/contracts';
import {
  IconBook,
  IconBuildingBank,
  IconCalendar,
  IconCamera,
  IconCode,
  IconDatabase,
  IconFlask,
  IconHeadset,
  IconHeartbeat,
  IconHome,
  IconLeaf,
  IconMail,
  IconMap,
  IconMusic,
  IconNews,
  IconPlane,
  IconRobot,
  IconScale,
  IconSchool,
  IconShieldLock,
  IconShoppingCart,
  IconTools,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import { renderToStaticMarkup } from 'react-dom/server';
import { toSymbolId } from '../components/CategoryIcon.tsx';

const icons: Partial<Record<CategoryIconName, Icon>> = {
  book: IconBook,
  'building-bank': IconBuildingBank,
  calendar: IconCalendar,
  camera: IconCamera,
  code: IconCode,
  database: IconDatabase,
  flask: IconFlask,
  headset: IconHeadset,
  heartbeat: IconHeartbeat,
  home: IconHome,
  leaf: IconLeaf,
  mail: IconMail,
  map: IconMap,
  music: IconMusic,
  news: IconNews,
  plane: IconPlane,
  robot: IconRobot,
  scale: IconScale,
  school: IconSchool,
  'shield-lock': IconShieldLock,
  'shopping-cart': IconShoppingCart,
  tools: IconTools,
  users: IconUsers,
};

/** Renders the icons of the operator's categories as SVG symbols, so that the scripts of the page need not have them. */
export function renderSymbols({ categories }: SiteConfig): string {
  const symbols = [...new Set(categories.map(({ icon }) => icon))].flatMap((name) => {
    const Icon = icons[name];
    if (!Icon) return [];
    const shapes = renderToStaticMarkup(<Icon />)
      .replace(/^<svg[^>]*>/, '')
      .replace(/<\/svg>$/, '');
    return [`<symbol id="${toSymbolId(name)}" viewBox="0 0 24 24">${shapes}</symbol>`];
  });
  return symbols.length > 0 ? `<svg width="0" height="0" hidden>${symbols.join('')}</svg>` : '';
}
