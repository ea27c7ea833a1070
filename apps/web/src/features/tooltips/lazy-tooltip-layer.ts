import { createLazyComponent } from '../../lib/lazy-component.tsx';
import { whenIdle } from '../../lib/when-idle.ts';

/** The tooltips, loaded when the browser is idle. */
export const lazyTooltipLayer = createLazyComponent(async () => {
  await whenIdle();
  return (await import('./TooltipLayer.tsx')).TooltipLayer;
});
