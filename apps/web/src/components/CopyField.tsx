import { Button } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import classes from './CopyField.module.css';

/** A text to copy, and a button that copies it. If the browser does not allow that, the text is selected. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);

  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
    }
  };
  return (
    <div className={classes.root}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.line}>
        <input ref={field} id={id} readOnly dir="ltr" value={value} onFocus={(event) => event.currentTarget.select()} />
        <Button className="needs-scripts" variant="default" size="md" onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
        </Button>
      </div>
    </div>
  );
}
