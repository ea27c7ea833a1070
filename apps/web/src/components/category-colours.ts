import type { Category } from '@agent-registry/contracts';
import type { CSSProperties } from 'react';

/** The colours of a category as CSS variables: `--category-background` and `--category-text`. */
export function toCategoryColours({ colour }: Category): CSSProperties {
  return {
    '--category-background': `color-mix(in srgb, ${colour} 11%, transparent)`,
    '--category-text': colour,
  } as CSSProperties;
}
