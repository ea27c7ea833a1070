import { replaceHidden, reportReasonOptions, type AgentState, type ReportReason } from '@agent-registry/contracts';

/** A text of a stranger with marks in place of the characters that hide text or turn its direction. */
export function toPlainText(text: string): string {
  return replaceHidden(text, (character) => (/\s/u.test(character) ? character : '\u{FFFD}'));
}

export const stateLabels: Record<AgentState, string> = {
  listed: 'Listed',
  held: 'Held',
  refused: 'Refused',
  hidden: 'Hidden',
  withdrawn: 'Withdrawn',
};

export function labelOfReason(reason: ReportReason): string {
  return reportReasonOptions.find(({ value }) => value === reason)?.label ?? reason;
}

/** A time for the operator: in the zone of the browser. */
export function formatTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
