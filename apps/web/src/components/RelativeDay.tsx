import { describeDay } from '@agent-registry/contracts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { describeAge } from './age.ts';
import { useToday } from './use-today.ts';

/**
 * The day of an instant, after a prefix; once scripts run, its distance from today. A page that is cached for long stays
 * right.
 */
export function RelativeDay({ instant, prefix = '' }: { instant: string; prefix?: string }) {
  const today = useToday();
  const isHydrated = useHydrated();
  const day = describeDay(instant);
  return (
    <time dateTime={instant} title={day}>
      {isHydrated ? describeAge(instant, today) : prefix + day}
    </time>
  );
}
