import { Alert, Button, Loader } from '@mantine/core';

type Query = { error: { message: string } | null; isPending: boolean; refetch: () => unknown };

export function LoadState({ query: { error, isPending, refetch } }: { query: Query }) {
  if (error) {
    return (
      <Alert color="red" variant="outline" title={error.message}>
        <Button variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </Alert>
    );
  }
  return isPending ? <Loader role="status" aria-label="Loading" /> : null;
}
