import { useHydrated } from '../lib/use-hydrated.ts';
import { describeAge, describeDay } from './age.ts';
import { useToday } from './use-today.ts';

/** The day of an instant; once scripts run, its distance from today. A page that is cached for long stays right. */
export function RelativeDay({ instant }: { instant: string }) {
  const today = useToday();
  const isHydrated = useHydrated();
  const day = describeDay(instant);
  return (
    <time dateTime={instant} title={day}>
      {isHydrated ? describeAge(instant, today) : day}
    </time>
  );
}
