import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The views of an own agent. */
export const lazyViewsChart = createLazyComponent(async () => (await import('./ViewsChart.tsx')).ViewsChart);
