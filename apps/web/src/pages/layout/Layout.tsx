import { useRef, type MouseEvent } from 'react';
import { Outlet } from 'react-router-dom';
import { CompareTray } from '../../features/compare/CompareTray.tsx';
import { Keys } from '../../features/keys/Keys.tsx';
import { ChosenListProvider } from '../../navigation/chosen-list.tsx';
import { useScrollRestoration } from '../../navigation/use-scroll-restoration.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';

/** The frame of every page: skip link, header, content, footer. */
export function Layout() {
  const main = useRef<HTMLElement>(null);
  useScrollRestoration(main);
  // Without a new history entry, whose state would be empty.
  const skipToContent = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <ChosenListProvider>
      <a href="#main" className={classes.skipLink} onClick={skipToContent}>
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <CompareTray />
      <Footer />
      <Keys />
    </ChosenListProvider>
  );
}
