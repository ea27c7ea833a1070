import type { ComponentProps, ReactNode, KeyboardEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { readLocationState, type LocationState } from './location-state.ts';
import { Button, type ButtonProps } from '@mantine/core';

export type SectionId = 'browse' | 'categories' | 'register' | 'about';

export const sectionLinks: readonly { section: SectionId; label: string }[] = [
  { section: 'browse', label: 'Browse Agents' },
  { section: 'categories', label: 'Categories' },
  { section: 'about', label: 'About' },
];

type SectionLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { section: SectionId };

/** A link to a section of the home page. On the home page it keeps the list and its cards. */
export function SectionLink({ section, ...props }: SectionLinkProps) {
  const location = useLocation();
  const isHome = location.pathname === '/';
  const { cardsShown, start } = readLocationState(location);
  const state: LocationState = isHome && cardsShown ? { cardsShown, start } : {};
  return (
    <Link {...props} to={{ pathname: '/', search: isHome ? location.search : '', hash: `#${section}` }} state={state} />
  );
}

/** Props that make a link a button to assistive technology and the keyboard; without scripts it works as a link. */
export const linkAsButton = {
  role: 'button',
  onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  },
} as const;

type SectionButtonProps = ButtonProps & { section: SectionId; onClick?: () => void; children: ReactNode };

export function SectionButton(props: SectionButtonProps) {
  return <Button component={SectionLink} {...linkAsButton} {...props} />;
}
