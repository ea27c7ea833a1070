import { Button } from '@mantine/core';
import { focusContainer } from './focus-container.ts';

/** A button for another try, which goes away with what it stands in, and so hands on the focus. */
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
