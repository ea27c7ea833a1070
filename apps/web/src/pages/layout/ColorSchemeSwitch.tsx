import { Box, UnstyledButton, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import moon from '../../icons/moon.svg?raw';
import sun from '../../icons/sun.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { startTransition, useEffect } from 'react';
import classes from './ColorSchemeSwitch.module.css';

/** Switches between light and dark mode; until it is used, the page follows the system. */
export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const current = useComputedColorScheme('light');
  const other = current === 'light' ? 'dark' : 'light';
  useEffect(() => {
    // The colour of the browser's own bar.
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.media = meta.dataset.scheme === current ? 'all' : 'not all';
    }
  }, [current]);
  // Both icons are in the cached page; the colour scheme shows one.
  return (
    <UnstyledButton
      className={`needs-scripts ${classes.switch}`}
      data-tooltip={`Switch to ${other} mode`}
      // The attribute of the document changes the colours; components that show the scheme are rendered after that.
      onClick={() => startTransition(() => setColorScheme(readShownScheme() === 'light' ? 'dark' : 'light'))}
    >
      <Box component="span" darkHidden lh={0}>
        <Icon svg={moon} size={18} strokeWidth={1.7} aria-hidden />
        <VisuallyHidden>Switch to dark mode</VisuallyHidden>
      </Box>
      <Box component="span" lightHidden lh={0}>
        <Icon svg={sun} size={18} strokeWidth={1.7} aria-hidden />
        <VisuallyHidden>Switch to light mode</VisuallyHidden>
      </Box>
    </UnstyledButton>
  );
}

/** Of the document: a second click can come before the first is rendered. */
function readShownScheme(): string | undefined {
  return document.documentElement.dataset.mantineColorScheme;
}
