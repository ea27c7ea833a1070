import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The tooltips. */
export const lazyTooltipLayer = createLazyComponent(async () => (await import('./TooltipLayer.tsx')).TooltipLayer);
