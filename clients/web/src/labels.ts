import type { ClientState } from '@parley/sdk';

/** The viewer's labels in the held entries, plus the one in the filter. */
export function knownLabels({ entries, filter }: ClientState['inbox']): string[] {
  const labels = new Set(Object.values(entries).map(({ label }) => label));
  labels.add(filter.label ?? null);
  labels.delete(null);
  return ([...labels] as string[]).sort((a, b) => a.localeCompare(b));
}
