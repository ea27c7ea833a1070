import { Stack, Text } from '@mantine/core';
import { Component, Suspense, use, useState, type ComponentType, type ReactNode } from 'react';
import { RetryButton } from './AsyncState.tsx';

type BoundaryProps = { fallback?: ReactNode; failure?: ReactNode; failureClass?: string | undefined };

/** A component whose code is in a chunk of its own. Unlike `React.lazy` it can be preloaded, and retried after a failure. */
export type LazyComponent<Props> = {
  /** The component in a boundary: a fallback while its code loads, a message and a Retry button if that fails. */
  Component: ComponentType<Props & BoundaryProps>;
  load: () => Promise<ComponentType<Props>>;
};

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
  function Content(props: Props) {
    // Decided when it is mounted: loaded code shows without a fallback, and code that arrives later mounts once.
    const [Loaded] = useState(() => loaded);
    return Loaded ? <Loaded {...props} /> : <Suspending {...props} />;
  }
  return {
    Component: ({ fallback, failure, failureClass, ...props }) => (
      <LazyBoundary {...{ load, fallback, failure, failureClass }}>
        <Content {...(props as unknown as Props)} />
      </LazyBoundary>
    ),
    load,
  };
}

type LazyBoundaryProps = BoundaryProps & { load: () => Promise<unknown>; children: ReactNode };

class LazyBoundary extends Component<LazyBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  constructor(props: LazyBoundaryProps) {
    super(props);
    // Retries a preload that has failed. The lazy component throws the error.
    props.load().catch(() => {});
  }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { fallback, failure, failureClass, children } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (failure === undefined) return null;
    const retry = () => {
      this.props.load().catch(reloadPage);
      this.setState({ hasFailed: false });
    };
    return (
      <Stack role="alert" className={failureClass} align="center" p="md" gap="sm">
        <Text>{failure}</Text>
        <RetryButton onClick={retry} />
      </Stack>
    );
  }
}

/** Reloads the page if the server responds: some browsers cache a failed import for the life of the page. */
async function reloadPage(): Promise<void> {
  const response = await fetch(window.location.href, { method: 'HEAD' }).catch(() => undefined);
  if (response?.ok) window.location.reload();
}
