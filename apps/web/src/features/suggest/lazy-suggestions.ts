import { createLazyComponent } from '../../components/lazy-component.tsx';

/** The list of suggestions below a search field. */
export const lazySuggestions = createLazyComponent(async () => (await import('./Suggestions.tsx')).Suggestions);
