import { useEffect, useState } from 'react';
import { SEARCH_BOX_ID } from '../../navigation/section-links.ts';

/** Whether the search box of the browse section is off the screen; true on pages without one. */
export function useIsSearchBoxAway(isHome: boolean): boolean {
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
