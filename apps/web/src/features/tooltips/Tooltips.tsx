import { useEffect, useState, type ComponentType } from 'react';
import { createLazyComponent } from '../../components/lazy-component.tsx';

const lazyTooltipLayer = createLazyComponent(async () => (await import('./TooltipLayer.tsx')).TooltipLayer);

/** The tooltips; their code loads when the pointer or the focus is on a control that has one. */
export function Tooltips() {
  const [Layer, setLayer] = useState<ComponentType>();
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const load = ({ target }: Event) => {
      if (!(target instanceof Element && target.closest('[data-tooltip], [data-tooltip-if-cut]'))) return;
      lazyTooltipLayer.load().then(
        (layer) => {
          listeners.abort();
          setLayer(() => layer);
        },
        () => {},
      );
    };
    for (const type of ['pointerover', 'focusin']) document.addEventListener(type, load, { signal });
    return () => listeners.abort();
  }, []);
  return Layer && <Layer />;
}
