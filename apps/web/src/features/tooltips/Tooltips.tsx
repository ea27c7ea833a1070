import { useEffect, useState, type ComponentType } from 'react';
import { lazyTooltipLayer } from './lazy-tooltip-layer.ts';

/** The tooltips, once their code is loaded; if that fails, the page works without them. */
export function Tooltips() {
  const [Layer, setLayer] = useState<ComponentType>();
  useEffect(() => {
    lazyTooltipLayer.load().then(
      (layer) => setLayer(() => layer),
      () => {},
    );
  }, []);
  return Layer && <Layer />;
}
