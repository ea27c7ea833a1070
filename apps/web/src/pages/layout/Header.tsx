import { Box, Container, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import menu from '../../icons/menu-2.svg?raw';
import moon from '../../icons/moon.svg?raw';
import sun from '../../icons/sun.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { startTransition, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { KeptLink } from '../../components/KeptLink.tsx';
import { useOwnAgents } from '../../components/owner-keys.ts';
import { PopoverDialog } from '../../components/PopoverDialog.tsx';
import { HEADER_SEARCH_ID, SEARCH_BOX_ID, SearchField } from '../../components/SearchField.tsx';
import { SectionButton, SectionLink, sectionLinks } from '../../navigation/SectionLink.tsx';
import { Brand } from './Brand.tsx';
import classes from './Header.module.css';
import { lazyOwnAgents } from '../../features/owner/lazy-components.ts';
import { lazyNavDrawer } from '../lazy-parts.ts';

const OWN_AGENTS_ID = 'own-agents';

export function Header() {
  const { key, pathname } = useLocation();
  const isSearchShown = useIsSearchBoxAway(pathname === '/');
  const isWide = useMediaQuery('(min-width: 62em)');
  // The history entry at which the menu was opened: any navigation closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isMenuOpen = openedAt === key && !isWide;
  return (
    <header className={`ink ${classes.header}`}>
      <Container size="lg" className={classes.bar}>
        <Brand />
        <nav aria-label="Main" className={classes.links}>
          {sectionLinks.map(({ section, label }) => (
            <SectionLink key={section} section={section} className={classes.link}>
              {label}
            </SectionLink>
          ))}
        </nav>
        <div className={classes.search} data-shown={isSearchShown}>
          <SearchField
            id={HEADER_SEARCH_ID}
            label="Every page"
            size="sm"
            placeholder="Search agents"
            onSearch={focusBrowse}
          />
        </div>
        <OwnAgentsMenu />
        <KeptLink className={`pill ${classes.kept}`} />
        <ColorSchemeSwitch />
        <SectionButton section="register" variant="default" className={classes.register}>
          Register Agent
        </SectionButton>
        <UnstyledButton
          className={`needs-scripts ${classes.icon} ${classes.burger}`}
          // The press does not wait for the drawer.
          onClick={() => startTransition(() => setOpenedAt(isMenuOpen ? null : key))}
          aria-label="Open menu"
          aria-expanded={isMenuOpen}
          aria-haspopup="dialog"
        >
          <Icon svg={menu} />
        </UnstyledButton>
        <details className={classes.plainMenu}>
          <summary className="pill">Menu</summary>
          <nav aria-label="Menu">
            {[...sectionLinks, { section: 'register', label: 'Register Agent' } as const].map(({ section, label }) => (
              <SectionLink key={section} section={section} className={classes.link}>
                {label}
              </SectionLink>
            ))}
          </nav>
        </details>
      </Container>
      {openedAt !== null && (
        <lazyNavDrawer.Component
          opened={isMenuOpen}
          onClose={() => setOpenedAt('')}
          failure="The menu could not be loaded."
          failureClass={classes.failure}
        />
      )}
    </header>
  );
}

function focusBrowse(): void {
  document.getElementById('browse')?.focus({ preventScroll: true });
}

/** Whether the search box of the browse section is off the screen; true on pages without one. */
function useIsSearchBoxAway(isHome: boolean): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const box = isHome ? document.getElementById(SEARCH_BOX_ID) : null;
    if (!box) return;
    const header = document.querySelector('header')?.clientHeight ?? 0;
    const observer = new IntersectionObserver(
      ([entry]) => setIsAway(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < header),
      { rootMargin: `-${header}px 0px 0px` },
    );
    observer.observe(box);
    return () => observer.disconnect();
  }, [isHome]);
  return !isHome || isAway;
}

export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const current = useComputedColorScheme('light');
  const other = current === 'light' ? 'dark' : 'light';
  // Both icons are in the cached page; the colour scheme shows one.
  return (
    <UnstyledButton
      className={`needs-scripts ${classes.icon}`}
      data-tooltip={`Switch to ${other} mode`}
      // The attribute of the document changes the colours; components that show the scheme are rendered after that, and
      // a second click can come before.
      onClick={() => {
        const isLight = document.documentElement.dataset.mantineColorScheme === 'light';
        startTransition(() => setColorScheme(isLight ? 'dark' : 'light'));
      }}
    >
      <Box component="span" darkHidden lh={0}>
        <Icon svg={moon} size={18} />
        <span className="visually-hidden">Switch to dark mode</span>
      </Box>
      <Box component="span" lightHidden lh={0}>
        <Icon svg={sun} size={18} />
        <span className="visually-hidden">Switch to light mode</span>
      </Box>
    </UnstyledButton>
  );
}

export function OwnAgentsMenu() {
  const count = useOwnAgents().length;
  if (count === 0) return null;
  return (
    <>
      <button type="button" popoverTarget={OWN_AGENTS_ID} className={`pill ${classes.own}`}>
        Your agents <b>{count}</b>
      </button>
      <PopoverDialog id={OWN_AGENTS_ID} label="Your agents" className={classes.popover}>
        <lazyOwnAgents.Component
          onChoose={() => document.getElementById(OWN_AGENTS_ID)?.hidePopover()}
          failure="The list could not be loaded."
        />
      </PopoverDialog>
    </>
  );
}
