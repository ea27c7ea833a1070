import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useToast } from '../lib/toast-context.ts';
import { useSite } from '../lib/site.ts';
import classes from './CurlCommand.module.css';

/** A command that reads a path of the API, and a button that copies it. */
export function CurlCommand({ path }: { path: string }) {
  const { origin } = useSite();
  const showToast = useToast();
  const code = useRef<HTMLElement>(null);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(`curl ${origin}${path}`);
      showToast({ title: 'Command copied', message: `curl ${origin}${path}`, variant: 'default' });
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <div className={classes.box} dir="ltr">
      <code ref={code} className={classes.code}>
        <span className={classes.program}>curl</span> {origin}
        {path}
      </code>
      <Button
        className={`needs-scripts ${classes.copy}`}
        variant="default"
        aria-label="Copy the command"
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </div>
  );
}
