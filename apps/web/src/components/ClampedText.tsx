import { Text, Tooltip } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import classes from './ClampedText.module.css';

/** Lines of a tooltip that shows more of a text; what is longer still is read where the text is whole. */
const TOOLTIP_LINES = 12;

/** A text cut to some lines; where it is cut, a tooltip shows more of it. */
export function ClampedText({ children, lines }: { children: ReactNode; lines: number }) {
  const text = useRef<HTMLParagraphElement>(null);
  const [isCut, setIsCut] = useState(false);
  const measure = () => {
    const { scrollHeight = 0, clientHeight = 0 } = text.current ?? {};
    setIsCut(scrollHeight > clientHeight);
  };
  const more = (
    <Text inherit lineClamp={TOOLTIP_LINES}>
      {children}
    </Text>
  );
  return (
    <Tooltip label={more} disabled={!isCut}>
      <Text ref={text} size="sm" lineClamp={lines} dir="auto" className={classes.text} onPointerEnter={measure}>
        {children}
      </Text>
    </Tooltip>
  );
}
