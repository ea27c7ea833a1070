import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** Goes to the section that the address names once the page has its height, where it was not yet when it opened. */
export function useHashScroll(isSettled: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (isSettled && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isSettled, hash]);
}
