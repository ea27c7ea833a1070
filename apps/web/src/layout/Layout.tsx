import { useRef } from 'react';
import { Outlet } from 'react-router-dom';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';
import { useScrollRestoration } from '../navigation/use-scroll-restoration.ts';

/** The frame of every page: header, content, footer. */
export function Layout() {
  const main = useRef<HTMLElement>(null);
  useScrollRestoration(main);
  return (
    <>
      <a href="#main" className={classes.skipLink}>
        Skip to content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
