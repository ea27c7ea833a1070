import { createLazyComponent } from '../../lib/lazy-component.tsx';

/** The agents of a list as lines of a table. */
export const lazyAgentRows = createLazyComponent(async () => (await import('./AgentRows.tsx')).AgentRows);
