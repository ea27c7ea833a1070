import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { readLocationState } from './location-state.ts';

/**
 * The way back from an agent: to the search or category that it was opened from, with its cards and scroll position, else
 * to all agents.
 */
export function BackToList({ className }: { className?: string | undefined }) {
  const { backTo } = readLocationState(useLocation());
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    if (!backTo || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Link to={backTo?.path ?? '/#browse'} onClick={goBack} className={className}>
      ← {backTo?.label ?? 'All agents'}
    </Link>
  );
}
