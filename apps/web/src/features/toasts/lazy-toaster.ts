import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The viewport that shows toasts. */
export const lazyToaster = createLazyComponent(async () => (await import('./Toaster.tsx')).Toaster);
