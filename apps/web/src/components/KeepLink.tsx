import { toManageLink } from '@agent-registry/contracts';
import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSite } from '../lib/site.ts';
import { CopyField } from './CopyField.tsx';
import classes from './KeepLink.module.css';
import type { OwnAgent } from './owner-keys.ts';

/** The link with which the owner of an agent edits and withdraws it; nobody can show it again. */
export function KeepLink({ own: { id, name, key } }: { own: OwnAgent }) {
  const { origin } = useSite();
  const link = origin + toManageLink(id, key);

  const download = () => {
    const url = URL.createObjectURL(new Blob([`${name}\n${link}\n`], { type: 'text/plain' }));
    const anchor = Object.assign(document.createElement('a'), { href: url, download: `agent-${id}.txt` });
    anchor.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className={classes.root}>
      <CopyField label="Keep this link to edit or withdraw the entry" value={link} />
      <Text size="sm" c="var(--muted-text)">
        It is shown only now. Anyone who has it can change the entry. This browser keeps it, too.
      </Text>
      <Button
        variant="default"
        size="md"
        leftSection={<IconDownload size={18} stroke={1.7} aria-hidden />}
        onClick={download}
      >
        Download
      </Button>
    </div>
  );
}
