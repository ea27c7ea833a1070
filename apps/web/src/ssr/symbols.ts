import type { SiteConfig } from '@agent-registry/contracts';
import { commonIcons, toSymbolId } from '../components/CategoryIcon.tsx';
import { toShapes } from '../components/Icon.tsx';

const icons = import.meta.glob<string>('../icons/*.svg', { query: '?raw', import: 'default', eager: true });

/** Renders the icons of the operator's categories as SVG symbols, so that the scripts of the page need not have them. */
export function renderSymbols({ categories }: SiteConfig): string {
  const symbols = [...new Set(categories.map(({ icon }) => icon))].flatMap((name) => {
    const svg = icons[`../icons/${name}.svg`];
    if (svg === undefined || name in commonIcons) return [];
    return [`<symbol id="${toSymbolId(name)}" viewBox="0 0 24 24">${toShapes(svg)}</symbol>`];
  });
  return symbols.length > 0 ? `<svg width="0" height="0" hidden>${symbols.join('')}</svg>` : '';
}
