import { Button, TextInput, UnstyledButton, type MantineSize } from '@mantine/core';
import link from '../icons/link.svg?raw';
import { Icon } from './Icon.tsx';
import { useEffect, useRef, useState } from 'react';
import { useSite } from '../lib/site.ts';
import { useToast } from '../lib/toast-context.ts';

type CopyLinkProps = {
  path: string;
  size?: MantineSize;
  /** Whether it is an icon without a word. */
  isIcon?: boolean;
};

/** Copies the URL of a page; if the browser does not allow that, shows the URL in a selected field. */
export function CopyLink({ path, size, isIcon = false }: CopyLinkProps) {
  const { origin } = useSite();
  const showToast = useToast();
  const [isShown, setIsShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const address = origin + path;

  useEffect(() => {
    if (isShown) field.current?.select();
  }, [isShown]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showToast({ title: 'Link copied', message: address });
    } catch {
      // The clipboard is missing on plain http, or permission was denied.
      setIsShown(true);
      field.current?.select();
    }
  };
  return (
    <>
      {isIcon ? (
        <UnstyledButton
          className="needs-scripts"
          aria-label="Copy Link"
          data-tooltip="Copy Link"
          onClick={() => void copy()}
        >
          <Icon svg={link} size={18} />
        </UnstyledButton>
      ) : (
        <Button
          className="needs-scripts"
          variant="default"
          {...(size && { size })}
          leftSection={<Icon svg={link} size={18} />}
          onClick={() => void copy()}
        >
          Copy Link
        </Button>
      )}
      {isShown && (
        <TextInput
          ref={field}
          label="This browser does not let the page copy the link; it can be copied from here:"
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </>
  );
}
