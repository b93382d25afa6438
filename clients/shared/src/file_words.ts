const kUnits = ['KB', 'MB', 'GB', 'TB'];

/** 999 B, 12 KB, 3.4 MB: three digits at most. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < kUnits.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${kUnits[unit]}`;
}

const kTypes: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP archive',
  'image/jpeg': 'JPEG image',
  'image/svg+xml': 'SVG image',
  'text/plain': 'Text',
  'application/msword': 'Word document',
  'application/vnd.ms-excel': 'Excel sheet',
  'application/vnd.ms-powerpoint': 'PowerPoint slides',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint slides',
  'video/quicktime': 'QuickTime video',
};

/** image/png → PNG image. An unknown type is shown as is. */
export function typeText(mime: string): string {
  if (Object.hasOwn(kTypes, mime)) return kTypes[mime]!;
  const match = /^(image|video|audio)\/(?:x-)?([a-z0-9]{2,5})$/.exec(mime);
  return match === null ? mime : `${match[2]!.toUpperCase()} ${match[1]}`;
}

/** Saves the file at an address under its name. */
export function saveFile(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.rel = 'noreferrer';
  document.body.append(link);
  link.click();
  link.remove();
}
