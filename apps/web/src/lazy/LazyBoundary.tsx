import { Group, Text } from '@mantine/core';
import { Component, Suspense, type ReactNode } from 'react';
import { RetryButton } from '../components/RetryButton.tsx';

type LazyBoundaryProps = {
  /** Begins to load the code of the part, if it is not there and not on its way. */
  load: () => Promise<unknown>;
  /** What is shown until the code of the part is there. */
  fallback: ReactNode;
  /** What is said where the code cannot be loaded. */
  failure: ReactNode;
  /** How that is to look where it has no room of its own. */
  failureClass?: string | undefined;
  children: ReactNode;
};

/** The place of a lazy part: what stands there while its code loads, and a sentence and another try where that fails. */
export class LazyBoundary extends Component<LazyBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  constructor(props: LazyBoundaryProps) {
    super(props);
    // The part itself throws what goes wrong.
    props.load().catch(() => {});
  }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { fallback, failure, failureClass, children } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={fallback}>{children}</Suspense>;
    return (
      <Group role="alert" className={failureClass} justify="center" p="md" gap="sm">
        <Text>{failure}</Text>
        <RetryButton onClick={() => this.retry()} />
      </Group>
    );
  }

  private retry(): void {
    this.props.load().catch(reload);
    this.setState({ hasFailed: false });
  }
}

/**
 * Loads the page again, if it can be had: browsers from before the autumn of 2026 remember for as long as a page is open that
 * an import has failed.
 */
async function reload(): Promise<void> {
  const page = await fetch(window.location.href, { method: 'HEAD' }).catch(() => undefined);
  if (page?.ok) window.location.reload();
}
