import { Button, UnstyledButton, type MantineSize } from '@mantine/core';
import link from '../icons/link.svg?raw';
import { Icon } from './Icon.tsx';
import { useSite } from '../lib/site.ts';
import { useToast } from '../lib/toast-context.ts';

type CopyLinkProps = { path: string; size?: MantineSize; isIcon?: boolean };

/** Copies the URL of a page; if the browser does not allow that, shows the URL for it. */
export function CopyLink({ path, size, isIcon = false }: CopyLinkProps) {
  const { origin } = useSite();
  const showToast = useToast();
  const address = origin + path;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showToast({ title: 'Link copied', message: address });
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
      window.prompt('This browser does not let the page copy the link; it can be copied from here:', address);
    }
  };
  const props = { className: 'needs-scripts', onClick: () => void copy() };
  const icon = <Icon svg={link} size={18} />;
  if (isIcon) {
    return (
      <UnstyledButton {...props} aria-label="Copy Link" data-tooltip="Copy Link">
        {icon}
      </UnstyledButton>
    );
  }
  return (
    <Button {...props} variant="default" {...(size && { size })} leftSection={icon}>
      Copy Link
    </Button>
  );
}
