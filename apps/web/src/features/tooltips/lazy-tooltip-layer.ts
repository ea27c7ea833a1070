import { createLazyComponent } from '../../lazy/lazy-component.tsx';
import { whenIdle } from '../../lazy/when-idle.ts';

/** The tooltips, loaded when the browser is idle. */
export const lazyTooltipLayer = createLazyComponent(async () => {
  await whenIdle();
  return (await import('./TooltipLayer.tsx')).TooltipLayer;
});
