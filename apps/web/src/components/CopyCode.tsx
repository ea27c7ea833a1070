import { Button } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { useToast } from '../lib/toast-context.ts';
import { useSite } from '../lib/site.ts';
import classes from './CopyCode.module.css';

type CopyCodeProps = {
  text: string;
  /** The element of the text. */
  shown: RefObject<HTMLElement | null> | undefined;
};

/** A button that copies code; if the browser does not allow that, it selects the code. */
export function CopyCode({ text, shown }: CopyCodeProps) {
  const showToast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: 'Code copied', message: 'Paste it where you need it.' });
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
      if (shown?.current) getSelection()?.selectAllChildren(shown.current);
    }
  };
  return (
    <Button className="needs-scripts" variant="default" aria-label="Copy the code" onClick={() => void copy()}>
      Copy
    </Button>
  );
}

/** A command that reads a path of the API, and a button that copies it. */
export function CurlCommand({ path }: { path: string }) {
  const { origin } = useSite();
  const code = useRef<HTMLElement>(null);
  return (
    <div className={classes.line} dir="ltr">
      <code ref={code}>
        curl {origin}
        {path}
      </code>
      <CopyCode text={`curl ${origin}${path}`} shown={code} />
    </div>
  );
}
