const two = (number: number): string => String(number).padStart(2, '0');

/** Formats a time for a datetime-local field: the viewer's own time, to the second. */
export function localTime(time: string | undefined): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Converts the value of such a field to the server's format; null: the field is empty. */
export function timeOfLocal(text: string): string | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
