// The reasons for a report. The server stores the words unchanged, so that staff read the reporter's choice.
export const kReportReasons = [
  { reason: 'harassment', label: 'Harassment or hate' },
  { reason: 'spam', label: 'Spam' },
  { reason: 'payment circumvention', label: 'Wants to pay or be paid elsewhere' },
  { reason: 'misrepresentation', label: 'Is not what it claims to be' },
  { reason: 'impersonation', label: 'Pretends to be another person' },
  { reason: 'explicit content', label: 'Explicit content' },
  { reason: 'unsafe location', label: 'An unsafe place' },
  { reason: 'illegal request', label: 'Asks for something illegal' },
  { reason: 'doxxing', label: 'Shares a person’s private data' },
  { reason: 'other', label: 'Something else' },
] as const;

export type ReportReason = (typeof kReportReasons)[number]['reason'];
