/** Returns the index that an arrow key, Home or End selects among `count` items in a ring; null: no move. */
export function nextItem(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** The same in a list with two ends; null also if the key would leave the list. */
export function nextInList(key: string, at: number, count: number): number | null {
  if (key === 'Home' || key === 'End') return nextItem(key, at, count);
  const to = key === 'ArrowDown' ? at + 1 : key === 'ArrowUp' ? at - 1 : -1;
  return to >= 0 && to < count ? to : null;
}

/**
 * Returns true if a key belongs to an input method: its Enter accepts a candidate and must not send. Safari ends the
 * composition before it reports that Enter, so only the key code identifies it.
 */
export function isComposing({ isComposing: composing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return composing || keyCode === 229;
}
