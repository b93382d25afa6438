import type { Case } from '@parley/sdk';
import { kSeverityWords, plain, statusWords } from './words.js';

export function SeverityChip({ severity }: Pick<Case, 'severity'>) {
  return (
    <span className="chip severity" data-severity={severity}>
      {kSeverityWords[severity] ?? plain(severity)}
    </span>
  );
}

export function StatusChip({ status }: Pick<Case, 'status'>) {
  return (
    <span className="chip status" data-status={status}>
      {statusWords(status)}
    </span>
  );
}
