import { useEffect, useEffectEvent } from 'react';

type FieldEvents = {
  onKey: (event: KeyboardEvent) => void;
  /** The field gets the focus, or is pressed. */
  onEnter: () => void;
  onType: () => void;
  /** An input method begins or ends a composition. */
  onCompose: (isComposed: boolean) => void;
  onLeave: () => void;
  /** The form of the field is submitted. */
  onSubmit: () => void;
};

/** Listens to a field that another component renders. */
export function useFieldEvents(field: HTMLInputElement, events: FieldEvents): void {
  const key = useEffectEvent(events.onKey);
  const enter = useEffectEvent(events.onEnter);
  const type = useEffectEvent(events.onType);
  const compose = useEffectEvent(events.onCompose);
  const leave = useEffectEvent(events.onLeave);
  const submit = useEffectEvent(events.onSubmit);

  useEffect(() => {
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    field.addEventListener('keydown', (event) => key(event), options);
    // After React has read the text: to render the field before would restore the earlier text.
    document.addEventListener('input', ({ target }) => target === field && type(), options);
    for (const name of ['focus', 'click']) field.addEventListener(name, () => enter(), options);
    field.addEventListener('blur', () => leave(), options);
    field.addEventListener('compositionstart', () => compose(true), options);
    field.addEventListener('compositionend', () => compose(false), options);
    field.form?.addEventListener('submit', () => submit(), options);
    // It can have been left while this was rendered.
    if (document.activeElement !== field) leave();
    return () => listeners.abort();
  }, [field]);
}
