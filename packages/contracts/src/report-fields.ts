export const MAX_REPORT_LENGTH = 1_000;

export const reportReasonOptions = [
  { value: 'misleading', label: 'Something is wrong or misleading' },
  { value: 'impersonation', label: 'It pretends to be somebody else’s' },
  { value: 'harmful', label: 'It does harm or is illegal' },
  { value: 'spam', label: 'It is spam' },
  { value: 'broken', label: 'It does not work or no longer exists' },
  { value: 'other', label: 'Something else' },
] as const;

export type ReportReason = (typeof reportReasonOptions)[number]['value'];
