import { Button } from '@mantine/core';
import { useRef, type RefObject } from 'react';
import { useToast } from '../lib/toast-context.ts';
import { useSite } from '../lib/site.ts';
import classes from './CopyCode.module.css';

/** A button that copies code; if the browser does not allow that, it selects the code. */
export function CopyCode({ text, shown }: { text: string; shown: RefObject<HTMLElement | null> }) {
  const showToast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: 'Code copied', message: 'Paste it where you need it.' });
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
    }
  };
  return (
    <Button className="needs-scripts" variant="default" aria-label="Copy the code" onClick={() => void copy()}>
      Copy
    </Button>
  );
}

export function CurlCommand({ path }: { path: string }) {
  const { origin } = useSite();
  const code = useRef<HTMLElement>(null);
  const command = `curl ${origin}${path}`;
  return (
    <div className={classes.line} dir="ltr">
      <code ref={code}>{command}</code>
      <CopyCode text={command} shown={code} />
    </div>
  );
}
