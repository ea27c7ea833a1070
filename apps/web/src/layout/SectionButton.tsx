import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { SectionId } from './section-links.ts';
import { useSectionPath } from './use-section-path.ts';
import { beginSmoothScroll } from './use-section-scroll.ts';

type SectionButtonProps = ButtonProps & { section: SectionId; onClick?: () => void; children: ReactNode };

/** A button that scrolls smoothly to a section of the home page, and leads home from elsewhere. */
export function SectionButton({ section, onClick, ...props }: SectionButtonProps) {
  const navigate = useNavigate();
  const { to, isHome, isHere } = useSectionPath(section);
  const handleClick = () => {
    onClick?.();
    if (isHome) beginSmoothScroll();
    void navigate(to, { replace: isHere });
  };
  return <Button {...props} onClick={handleClick} />;
}
