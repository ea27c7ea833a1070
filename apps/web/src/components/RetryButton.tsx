import { Button } from '@mantine/core';
import { focusAround } from './focus-container.ts';

/** A button for another try, which goes away with what it stands in, and so hands on the focus. */
export function TryAgain({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="default"
      onClick={(event) => {
        focusAround(event);
        onClick();
      }}
    >
      Try again
    </Button>
  );
}
