import { MAX_REASON_LENGTH, countOf } from '@agent-registry/contracts';
import { Button, Group, Kbd, List, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useState, type ReactNode, type SubmitEvent } from 'react';
import { useApi, type Inputs, type Outputs } from './api.ts';
import { Dialog } from './components/Dialog.tsx';
import { StrangersText } from './components/StrangersText.tsx';
import { toPlainText } from './labels.ts';

export type Verb = Outputs['queue']['list']['verbs'][number];

type Act = Inputs['act'];

export type Asked = {
  verb: Verb;
  /** The ids, and what stands for the version that the operator read. */
  targets: Act['targets'];
  names: readonly string[];
};

type Verbs = {
  /** What was done last, or why not, in a sentence; and what takes back the last verb that can be taken back. */
  status: { text: string; isError: boolean } | undefined;
  undo: Act | undefined;
  isPending: boolean;
  isAsking: boolean;
  act: (act: Act) => Promise<boolean>;
  /** Acts, or asks for the reason first if the verb needs one. */
  begin: (asked: Asked) => void;
};

const VerbsContext = createContext<Verbs | null>(null);

export function useVerbs(): Verbs {
  const verbs = use(VerbsContext);
  if (!verbs) throw new Error('VerbsProvider is not above this component.');
  return verbs;
}

/** Provides the verbs to all pages, so that the last one can be taken back from any of them. */
export function VerbsProvider({ children }: { children: ReactNode }) {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<Verbs['status']>();
  const [undo, setUndo] = useState<Act>();
  const [asked, ask] = useState<Asked>();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (act: Act) => client.act.mutate(act),
    // Whatever failed: the lists may be older than the entries.
    onSettled: () => queryClient.invalidateQueries(),
  });

  async function act(input: Act) {
    try {
      const done = await mutateAsync(input);
      setStatus({ text: toPlainText(done.text), isError: false });
      setUndo(done.undo);
      return true;
    } catch (error) {
      setStatus({ text: error instanceof Error ? error.message : 'Something went wrong.', isError: true });
      return false;
    }
  }
  const begin = (wanted: Asked) => {
    if (wanted.verb.needsReason) ask(wanted);
    else void act({ verb: wanted.verb.name, targets: wanted.targets });
  };
  const verbs: Verbs = { status, undo, isPending, isAsking: asked !== undefined, act, begin };

  return (
    // oxlint-disable-next-line react/jsx-no-constructed-context-values -- it changes with the status, which all consumers show
    <VerbsContext value={verbs}>
      {children}
      {asked && <VerbDialog {...asked} onClose={() => ask(undefined)} />}
    </VerbsContext>
  );
}

function VerbDialog({ verb, targets, names, onClose }: Asked & { onClose: () => void }) {
  const { act, isPending, status } = useVerbs();
  const [reason, setReason] = useState('');
  const [hasFailed, setHasFailed] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const isDone = await act({ verb: verb.name, targets, reason: reason.trim() === '' ? undefined : reason });
    setHasFailed(!isDone);
    if (isDone) onClose();
  }

  return (
    <Dialog onClose={onClose} title={`${verb.label} ${countOf(targets.length, 'entry', 'entries')}`}>
      <form onSubmit={(event) => void submit(event)}>
        <List mb="md">
          {names.map((name, index) => (
            <List.Item key={index}>
              <StrangersText text={name} />
            </List.Item>
          ))}
        </List>
        <TextInput
          label="Reason"
          description={verb.reasonHint}
          required={verb.needsReason}
          maxLength={MAX_REASON_LENGTH}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        {hasFailed && (
          <Text role="alert" c="var(--mantine-color-error)" mt="sm">
            {status?.text}
          </Text>
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {verb.label}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

type VerbButtonsProps = Pick<Asked, 'targets' | 'names'> & {
  verbs: readonly Verb[];
  /** Whether the first button is the main one of the page. */
  hasMain?: boolean;
  hasKeys?: boolean;
  /** What follows the verbs on the buttons. */
  subject?: string;
};

/** Buttons that change entries, each with what their owners read then; a verb that needs a reason asks for it first. */
export function VerbButtons(props: VerbButtonsProps) {
  const { verbs, targets, names, hasMain = true, hasKeys = false, subject = '' } = props;
  const { begin, isPending } = useVerbs();
  return (
    <Group align="start">
      {verbs.map((verb, index) => (
        <div key={verb.name}>
          <Button
            variant={hasMain && index === 0 ? 'filled' : 'default'}
            disabled={isPending}
            {...(hasKeys &&
              verb.key && { 'aria-keyshortcuts': verb.key, rightSection: <Kbd aria-hidden>{verb.key}</Kbd> })}
            onClick={() => begin({ verb, targets, names })}
          >
            {verb.label + subject}
            {verb.needsReason && ' …'}
          </Button>
          <Text size="xs" c="dimmed" mt="xxs">
            {verb.ownerReads}
          </Text>
        </div>
      ))}
    </Group>
  );
}
