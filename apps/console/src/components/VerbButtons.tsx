import { Button, Group, Text } from '@mantine/core';
import { useVerbs, type Asked, type Verb } from '../VerbsProvider.tsx';

type VerbButtonsProps = Pick<Asked, 'targets' | 'names'> & {
  verbs: readonly Verb[];
  /** Whether the first button is the main one of the page. */
  hasMain?: boolean;
  /** What follows the verbs on the buttons. */
  subject?: string;
  mt?: string;
  mb?: string;
};

/** Buttons that change entries, each with what their owners read then; a verb that needs a reason asks for it first. */
export function VerbButtons({ verbs, targets, names, hasMain = true, subject = '', mt, mb }: VerbButtonsProps) {
  const { begin, isPending } = useVerbs();
  return (
    <Group mt={mt} mb={mb} align="start">
      {verbs.map((verb, index) => (
        <div key={verb.name}>
          <Button
            variant={hasMain && index === 0 ? 'filled' : 'default'}
            disabled={isPending}
            onClick={() => begin({ verb, targets, names })}
          >
            {verb.label + subject}
            {verb.needsReason && ' …'}
          </Button>
          <Text size="sm" c="dimmed" mt={4} maw="14rem">
            {verb.ownerReads}
          </Text>
        </div>
      ))}
    </Group>
  );
}
