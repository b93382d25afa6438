import type { ClientState } from '@parley/sdk';

/** The viewer's labels, as far as their entries are held, with the one that is filtered by. */
export function knownLabels({ entries, filter }: ClientState['inbox']): string[] {
  const labels = new Set(Object.values(entries).map(({ label }) => label));
  labels.add(filter.label ?? null);
  labels.delete(null);
  return ([...labels] as string[]).sort((a, b) => a.localeCompare(b));
}
