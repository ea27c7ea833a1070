import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { linkAsButton } from '../lib/link-as-button.ts';
import { SectionLink } from './SectionLink.tsx';
import type { SectionId } from './section-links.ts';

type SectionButtonProps = ButtonProps & { section: SectionId; onClick?: () => void; children: ReactNode };

/** A button that scrolls to a section of the home page, from other pages via the home page. */
export function SectionButton(props: SectionButtonProps) {
  return <Button component={SectionLink} {...linkAsButton} {...props} />;
}
