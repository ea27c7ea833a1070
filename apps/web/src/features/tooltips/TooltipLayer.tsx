import { TOOLTIP_OFFSET } from '@agent-registry/contracts';
import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './TooltipLayer.module.css';
import { watchControls, type OpenTooltip } from './watch-controls.ts';

/** Lines of a tooltip; what is longer still is read where the text is whole. */
const MAX_LINES = 12;

const TEXT_ID = 'tooltip-text';

/** The one tooltip of the page, at the control that it is open for. */
export function TooltipLayer() {
  // Once closed it stays as it is while it fades.
  const [tooltip, setTooltip] = useState<OpenTooltip>();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(
    () =>
      watchControls((open) => {
        setIsOpen(open !== undefined);
        if (open) setTooltip(open);
      }),
    [],
  );

  // What is in the name of the control already is not read out twice.
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
      // Above the toasts, which have some too.
      zIndex={500}
      className={classes.tooltip}
      __vars={{ '--gap': `${TOOLTIP_OFFSET}px` }}
    />
  );
}
