const two = (number: number): string => String(number).padStart(2, '0');

/** As a field of the type datetime-local wants it: the viewer's own time, to the second. */
export function localTime(time: string | undefined): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** What such a field holds, as the server wants it; null: nothing. */
export function timeOfLocal(text: string): string | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
