import { useEffect, useState, type ComponentType } from 'react';
import { tooltipLayer } from '../../lazy/lazy-components.ts';

/** The tooltips, from when their code is there; where it cannot be loaded, the page does without. */
export function Tooltips() {
  const [Layer, setLayer] = useState<ComponentType>();
  useEffect(() => {
    tooltipLayer.load().then(
      (layer) => setLayer(() => layer),
      () => {},
    );
  }, []);
  return Layer && <Layer />;
}
