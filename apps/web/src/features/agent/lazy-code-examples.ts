import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The code that reads an agent from a program. */
export const lazyCodeExamples = createLazyComponent(async () => (await import('./CodeExamples.tsx')).CodeExamples);
