import { Button } from '@mantine/core';

/** A button for another try, which is gone then: the focus goes to the nearest place around it that takes it. */
export function TryAgain({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="default"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
        onClick();
      }}
    >
      Try again
    </Button>
  );
}
