import { toManageLink } from '@agent-registry/contracts';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import downloadIcon from '../icons/download.svg?raw';
import mail from '../icons/mail.svg?raw';
import { Icon } from './Icon.tsx';
import { useId } from 'react';
import { useSite } from '../lib/site.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { CopyField } from './CopyField.tsx';
import type { OwnAgent } from './owner-keys.ts';

/** The link with which the owner of an agent edits and withdraws it, in a box of its own; nobody can show it again. */
export function KeepLink({ own: { id, name, key } }: { own: OwnAgent }) {
  const { origin } = useSite();
  const isHydrated = useHydrated();
  const titleId = useId();
  const link = origin + toManageLink(id, key);
  const [subject, body] = [`Management link of ${name}`, `Edit or withdraw ${name}:\n${link}\n`].map(
    encodeURIComponent,
  );
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${name}\n${link}\n`], { type: 'text/plain' }));
    const anchor = Object.assign(document.createElement('a'), { href: url, download: `agent-${id}.txt` });
    anchor.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Stack component="section" aria-labelledby={titleId} className="panel" p="sm" gap="sm" ta="start">
      <Title order={4} size="h5" id={titleId}>
        Only for you
      </Title>
      <CopyField label="Keep this link to edit or withdraw the entry" value={link} />
      <Text size="sm" c="var(--muted-text)">
        It is shown only now. Anyone who has it can change the entry.
        {isHydrated && ' This browser keeps it, too.'}
      </Text>
      <Group gap="sm">
        <Button
          className="needs-scripts"
          variant="default"
          size="md"
          leftSection={<Icon svg={downloadIcon} size={18} />}
          onClick={download}
        >
          Download
        </Button>
        <Button
          component="a"
          // Without a recipient: others than the owner may read the contact address.
          href={`mailto:?subject=${subject}&body=${body}`}
          variant="default"
          size="md"
          leftSection={<Icon svg={mail} size={18} />}
        >
          Send to myself
        </Button>
      </Group>
    </Stack>
  );
}
