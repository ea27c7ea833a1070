import type { Attributes } from 'react';

// The attributes by which WebMCP offers a form to assistants in browsers, which React does not know yet.
declare module 'react' {
  interface FormHTMLAttributes<T> extends Attributes {
    toolname?: string | undefined;
    tooldescription?: string | undefined;
  }
  interface InputHTMLAttributes<T> extends Attributes {
    toolparamdescription?: string | undefined;
  }
}
