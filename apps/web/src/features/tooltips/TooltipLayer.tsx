import '@mantine/core/styles/Tooltip.css';
import { Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import classes from './TooltipLayer.module.css';

/** How long a control is hovered before its tooltip opens, in milliseconds. */
const TOOLTIP_DELAY = 700;
/** How long after a tooltip closed the next one opens without a delay, in milliseconds. */
const TOOLTIP_SKIP_DELAY = 300;
const TOOLTIP_OFFSET = 4;
const MAX_LINES = 12;
const TEXT_ID = 'tooltip-text';

type OpenTooltip = { control: HTMLElement; text: string };

/** The one tooltip of the page, which `watchControls` opens: Mantine's around each control exceeds the size budget. */
export function TooltipLayer() {
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

/**
 * Watches pointer, focus and keyboard events and reports which tooltip is open, if any. Controls have tooltips by attribute:
 * - `data-tooltip`: the text
 * - `data-tooltip-if-cut`: the control's own text, if it overflows
 * - `data-tooltip-on-press`: a press opens the tooltip too
 */
export function watchControls(show: (tooltip: OpenTooltip | undefined) => void): () => void {
  let under: HTMLElement | undefined;
  let hovered: HTMLElement | undefined;
  let focused: HTMLElement | undefined;
  let open: HTMLElement | undefined;
  let closedAt = -Infinity;
  let timer: number | undefined;

  const openFor = (control: HTMLElement, text: string) => {
    open = control;
    show({ control, text });
  };
  const want = (control: HTMLElement | undefined, isAtOnce = false) => {
    window.clearTimeout(timer);
    if (control && control === open) return;
    const text = control && readTooltip(control);
    if (control && text) {
      if (isAtOnce || open || Date.now() - closedAt < TOOLTIP_SKIP_DELAY) openFor(control, text);
      else timer = window.setTimeout(() => openFor(control, text), TOOLTIP_DELAY);
    } else if (open) {
      open = undefined;
      closedAt = Date.now();
      show(undefined);
    }
  };

  const dismiss = () => {
    hovered = undefined;
    focused = undefined;
    want(undefined);
  };

  const pointAt = (target: EventTarget | null) => {
    // The pointer may move onto the tooltip.
    if (target instanceof Element && target.closest('[role=tooltip]')) return;
    const control = findControl(target);
    if (control === under) return;
    under = control;
    hovered = control;
    want(hovered ?? focused);
  };

  const focus = (target: EventTarget | null) => {
    focused = target instanceof Element && target.matches(':focus-visible') ? findControl(target) : undefined;
    want(focused ?? hovered, focused !== undefined);
  };

  const press = (target: EventTarget | null) => {
    const control = findControl(target);
    if (!control || !opensOnPress(control)) return dismiss();
    under = control;
    hovered = control;
    want(control, true);
  };

  const watch = new AbortController();
  const on = <Type extends keyof DocumentEventMap>(type: Type, react: (event: DocumentEventMap[Type]) => void) =>
    document.addEventListener(type, react, { signal: watch.signal, capture: true, passive: true });
  on('pointerover', ({ pointerType, target }) => pointerType !== 'touch' && pointAt(target));
  on('pointerout', ({ relatedTarget }) => relatedTarget === null && pointAt(null));
  on('pointerdown', ({ target }) => !opensOnPress(findControl(target)) && dismiss());
  on('click', ({ target }) => press(target));
  on('focusin', ({ target }) => focus(target));
  on('focusout', () => focus(null));
  on('keydown', (event) => event.key === 'Escape' && !isComposing(event) && dismiss());

  // Controls hovered, pressed or focused before the code was loaded.
  if (window.matchMedia('(hover: hover)').matches) pointAt([...document.querySelectorAll(':hover')].at(-1) ?? null);
  if (opensOnPress(findControl(document.activeElement))) press(document.activeElement);
  else focus(document.activeElement);

  return () => {
    window.clearTimeout(timer);
    watch.abort();
  };
}

function findControl(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-tooltip], [data-tooltip-if-cut]') ?? undefined;
}

function opensOnPress(control: HTMLElement | undefined): boolean {
  return control?.dataset['tooltipOnPress'] !== undefined;
}

/** @returns undefined if the whole text is visible */
function readTooltip(control: HTMLElement): string | undefined {
  const { tooltip } = control.dataset;
  if (tooltip !== undefined) return tooltip;
  const isCut = control.scrollHeight > control.clientHeight || control.scrollWidth > control.clientWidth;
  return isCut ? control.textContent : undefined;
}
