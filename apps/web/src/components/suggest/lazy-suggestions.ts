import { createLazyComponent } from '../lazy-component.tsx';

export const lazySuggestions = createLazyComponent(async () => (await import('./Suggestions.tsx')).Suggestions);
