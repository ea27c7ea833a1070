import { createLazyComponent } from '../lazy-component.tsx';

/** Edits connections one by one. */
export const lazyConnectionsEditor = createLazyComponent(
  async () => (await import('./ConnectionsEditor.tsx')).ConnectionsEditor,
);
