import '@mantine/core/styles/Tooltip.css';
import { Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import classes from './TooltipLayer.module.css';
import { watchControls, type OpenTooltip } from './watch-controls.ts';

const TOOLTIP_OFFSET = 4;

/** Longest tooltip, in lines; longer text is cut. */
const MAX_LINES = 12;

const TEXT_ID = 'tooltip-text';

/** The one tooltip of the page, which `watchControls` opens: Mantine's around each control exceeds the size budget. */
export function TooltipLayer() {
  // Kept after closing, for the fade-out.
  const [tooltip, setTooltip] = useState<OpenTooltip>();
  const [isOpen, setIsOpen] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 47.99em)');
  useEffect(
    () =>
      watchControls((open) => {
        setIsOpen(open !== undefined);
        if (open) setTooltip(open);
      }),
    [],
  );

  // Describes the control to screen readers, unless its name says the same.
  useEffect(() => {
    if (!tooltip || !isOpen) return;
    const { control, text } = tooltip;
    if ((control.ariaLabel ?? control.textContent).includes(text)) return;
    control.setAttribute('aria-describedby', TEXT_ID);
    return () => control.removeAttribute('aria-describedby');
  }, [tooltip, isOpen]);

  if (!tooltip) return null;
  return (
    <Tooltip
      target={tooltip.control}
      opened={isOpen}
      // On a phone the name and the description of a card stay in view.
      position={isNarrow ? 'bottom' : 'top'}
      label={
        <Text inherit id={TEXT_ID} lineClamp={MAX_LINES} dir="auto">
          {tooltip.text}
        </Text>
      }
      offset={TOOLTIP_OFFSET}
      events={{ hover: false, focus: false, touch: false }}
      interactive
      multiline
      maw="min(90vw, 30rem)"
      // Above the toasts, which have tooltips too.
      zIndex={500}
      className={classes.tooltip}
      __vars={{ '--gap': `${TOOLTIP_OFFSET}px` }}
    />
  );
}
