import type { Attachment, CaseContext } from '@parley/sdk';
import { sizeText, typeText } from '@parley/shared';

const kStateWords: Readonly<Record<string, string>> = {
  requested: 'Not complete',
  uploading: 'Not complete',
  scanning: 'Being checked',
  ready: 'Released',
  quarantined: 'In quarantine',
  failed: 'Could not be processed',
  cancelled: 'Cancelled',
  removed: 'Removed',
};

export const kBandWords = ['Safe', 'Suggestive', 'Mature'] as const;

/** The state and the band of a file, in words. */
export function fileStateWords({ state, nsfwBand }: Pick<Attachment, 'state' | 'nsfwBand'>): string[] {
  const band = nsfwBand === undefined ? 'not judged' : (kBandWords[nsfwBand] ?? String(nsfwBand)).toLowerCase();
  return [kStateWords[state ?? 'removed'] ?? 'Unknown', band];
}

export function fileFacts({ mime, size, w, h }: Attachment): string[] {
  return [mime === null ? '' : typeText(mime), w !== null && h !== null ? `${w} × ${h}` : '', size === undefined ? '' : sizeText(size)].filter((fact) => fact !== '');
}

/** How a file can be looked at: as a picture that the server made, as a download, or not at all. */
export function lookOf({ attachmentId, state, variants }: Attachment): 'picture' | 'download' | null {
  if (attachmentId === undefined || (state !== 'ready' && state !== 'quarantined')) return null;
  return variants?.some(({ name }) => name === 'preview') === true ? 'picture' : 'download';
}

/** Replaces a file after a decision about it. */
export function withFile(context: CaseContext, changed: Attachment): CaseContext {
  const replaced = (one: Attachment): Attachment => (one.attachmentId === changed.attachmentId ? changed : one);
  const messages = context.messages.map((message) => (message.attachments === undefined ? message : { ...message, attachments: message.attachments.map(replaced) }));
  return { ...context, messages };
}
