import { createLazyComponent } from '../lib/lazy-component.tsx';

/** The form for reports of problems with an agent. */
export const lazyReportAgent = createLazyComponent(async () => (await import('./ReportAgent.tsx')).ReportAgent);
