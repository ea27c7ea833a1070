import type { MouseEvent, MouseEventHandler } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Arrow } from '../lib/Arrow.tsx';
import { useHydrated } from '../lib/use-hydrated.ts';
import { readLocationState } from './location-state.ts';

export function BackToList({ className, onClick }: { className?: string | undefined; onClick?: MouseEventHandler }) {
  const location = useLocation();
  // The server does not know the state of the history, which a reload keeps.
  const { backTo } = useHydrated() ? readLocationState(location) : {};
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    onClick?.(event);
    if (!backTo || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Link to={backTo?.path ?? '/#browse'} onClick={goBack} className={className}>
      <Arrow isBack /> {backTo?.label ?? 'All agents'}
    </Link>
  );
}
