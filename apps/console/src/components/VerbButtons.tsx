import { Button, Group } from '@mantine/core';
import { useVerbs, type Asked, type Verb } from '../VerbsProvider.tsx';

type VerbButtonsProps = Pick<Asked, 'targets' | 'names'> & {
  verbs: readonly Verb[];
  /** Whether the first button is the main one of the page. */
  hasMain?: boolean;
  mt?: string;
};

/** Buttons that change entries; a verb that needs a reason asks for it first. */
export function VerbButtons({ verbs, targets, names, hasMain = true, mt }: VerbButtonsProps) {
  const { act, ask, isPending } = useVerbs();
  return (
    <Group mt={mt}>
      {verbs.map((verb, index) => (
        <Button
          key={verb.name}
          variant={hasMain && index === 0 ? 'filled' : 'default'}
          disabled={isPending}
          onClick={() => (verb.needsReason ? ask({ verb, targets, names }) : void act({ verb: verb.name, targets }))}
        >
          {verb.label}
          {verb.needsReason && ' …'}
        </Button>
      ))}
    </Group>
  );
}
