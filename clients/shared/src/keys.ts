/** Where an arrow key, Home or End leads from one of `count` things in a row; null: nowhere. */
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

/** The same in a list that ends where it ends; null also where the key leads out of it. */
export function nextInList(key: string, at: number, count: number): number | null {
  if (key === 'Home' || key === 'End') return nextItem(key, at, count);
  const to = key === 'ArrowDown' ? at + 1 : key === 'ArrowUp' ? at - 1 : -1;
  return to >= 0 && to < count ? to : null;
}

/**
 * A key belongs to an input method: Enter takes a candidate, and sends nothing. Safari ends the composition before it tells of
 * that Enter, which then is known by its code alone.
 */
export function isComposing({ isComposing: composing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return composing || keyCode === 229;
}
