import { createLazyComponent } from '../lazy/lazy-component.tsx';

/** The form for reports of problems with an agent. */
export const lazyReportAgent = createLazyComponent(async () => (await import('./ReportAgent.tsx')).ReportAgent);
