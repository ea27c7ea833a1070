import type { Option } from '@agent-registry/contracts';

/** The periods of the menu "Added", each by its first day. */
export function listPeriods(today: string): Option<string>[] {
  return [
    { value: shiftDay(today, { days: 7 }), label: 'Past week' },
    { value: shiftDay(today, { months: 1 }), label: 'Past month' },
    { value: shiftDay(today, { months: 12 }), label: 'Past year' },
  ];
}

/** A day that is earlier than another one, both in UTC, such as `2026-11-18`; the last of a month that is too short. */
function shiftDay(day: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastDate) - days)).toISOString().slice(0, 10);
}
