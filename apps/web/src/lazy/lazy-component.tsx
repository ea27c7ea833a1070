import { use, type ComponentType } from 'react';

/** A part of the page whose code is not among that of the first view. */
export type LazyComponent<Props> = {
  /** The part itself; it suspends until its code is there, and throws where that cannot be loaded. */
  Component: ComponentType<Props>;
  /** Begins to load the code; after a failure it begins anew. */
  load: () => Promise<ComponentType<Props>>;
};

/** Makes a component of one whose code is loaded when it is first rendered, if not before. */
export function createLazyComponent<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let part: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  let hasFailed = false;
  const load = () => {
    if (loading && !hasFailed) return loading;
    hasFailed = false;
    loading = importPart().then(
      (loaded) => (part = loaded),
      (error: unknown) => {
        hasFailed = true;
        throw error;
      },
    );
    return loading;
  };
  return {
    Component(props) {
      // A failure is to be seen by whoever waited for it, so it is not begun anew here.
      const Loaded = part ?? use(loading ?? load());
      return <Loaded {...props} />;
    },
    load,
  };
}
