import { Group, Text } from '@mantine/core';
import { Component, Suspense, type ReactNode } from 'react';
import { RetryButton } from './RetryButton.tsx';

type LazyBoundaryProps = {
  /** Loads the code of the lazy component among the children. */
  load: () => Promise<unknown>;
  /** Shown while the code loads. */
  fallback: ReactNode;
  /** The message if the code cannot be loaded; null to show nothing then. */
  failure: ReactNode;
  failureClass?: string | undefined;
  children: ReactNode;
};

/** Wraps a lazy component: a fallback while its code loads, a message and a Retry button if that fails. */
export class LazyBoundary extends Component<LazyBoundaryProps, { hasFailed: boolean }> {
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
    if (failure === null) return null;
    return (
      <Group role="alert" className={failureClass} justify="center" p="md" gap="sm">
        <Text>{failure}</Text>
        <RetryButton onClick={() => this.retry()} />
      </Group>
    );
  }

  private retry(): void {
    this.props.load().catch(reloadPage);
    this.setState({ hasFailed: false });
  }
}

/** Reloads the page if the server responds: some browsers cache a failed import for the life of the page. */
async function reloadPage(): Promise<void> {
  const response = await fetch(window.location.href, { method: 'HEAD' }).catch(() => undefined);
  if (response?.ok) window.location.reload();
}
