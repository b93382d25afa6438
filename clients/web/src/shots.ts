import type { Fields, Panel } from '@parley/sdk';
import { tabOf } from '@parley/sdk';

export interface Shot extends Fields {
  id: string;
  name: string;
  status: 'todo' | 'done';
}

export function shotsOf(panel: Panel): Shot[] {
  const { shots } = tabOf(panel, 'shotlist').content;
  return Array.isArray(shots) ? (shots as Shot[]) : [];
}

/** The same numbers as in `thread.shotlist`, counted from the tab on screen. Null: there are no shots. */
export function shotProgress(panel: Panel): { done: number; total: number } | null {
  const shots = shotsOf(panel);
  return shots.length === 0 ? null : { done: shots.filter(({ status }) => status === 'done').length, total: shots.length };
}
