import { Button } from '@mantine/core';
import { focusContainer } from './focus-container.ts';

/** A Retry button. It disappears when pressed, so it moves the focus to its container. */
export function RetryButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="default"
      onClick={(event) => {
        focusContainer(event);
        onClick();
      }}
    >
      Try again
    </Button>
  );
}
