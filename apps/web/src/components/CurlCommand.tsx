import { useRef } from 'react';
import { useSite } from '../lib/site.ts';
import { CopyCode } from './CopyCode.tsx';
import classes from './CurlCommand.module.css';

/** A command that reads a path of the API, and a button that copies it. */
export function CurlCommand({ path }: { path: string }) {
  const { origin } = useSite();
  const code = useRef<HTMLElement>(null);
  return (
    <div className={classes.box} dir="ltr">
      <code ref={code} className={classes.code}>
        <span className={classes.program}>curl</span> {origin}
        {path}
      </code>
      <CopyCode text={`curl ${origin}${path}`} shown={code} className={classes.copy} />
    </div>
  );
}
