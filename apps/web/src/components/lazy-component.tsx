import { use, useState, type ComponentType } from 'react';

/** A component whose code is in a chunk of its own. Unlike `React.lazy` it can be preloaded, and retried after a failure. */
export type LazyComponent<Props> = {
  /** Suspends until the code is loaded; throws if that fails. */
  Component: ComponentType<Props>;
  /** Starts to load the code, unless it is loaded or loading. */
  load: () => Promise<ComponentType<Props>>;
};

/** Creates a lazy component from a dynamic import. */
export function createLazyComponent<Props extends object>(
  importComponent: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  let hasFailed = false;
  const load = () => {
    if (loading && !hasFailed) return loading;
    hasFailed = false;
    loading = importComponent().then(
      (component) => (loaded = component),
      (error: unknown) => {
        hasFailed = true;
        throw error;
      },
    );
    return loading;
  };
  function Suspending(props: Props) {
    // A failed import is thrown here and retried only by `load`, or rendering would retry it for ever.
    const Loaded = use(loading ?? load());
    return <Loaded {...props} />;
  }
  return {
    Component(props) {
      // Decided when it is mounted: loaded code shows without a fallback, and code that arrives later mounts once.
      const [Loaded] = useState(() => loaded);
      return Loaded ? <Loaded {...props} /> : <Suspending {...props} />;
    },
    load,
  };
}
