import type { Attachment, FileVariant, VariantName } from '@parley/sdk';

/**
 * How a file is shown. `blurred` and `blocked` follow Safe-Mode; the server enforces it with the bytes, and this only
 * chooses the words.
 */
export type AttachmentView = 'clear' | 'pending' | 'quarantined' | 'failed' | 'gone' | 'unjudged' | 'blurred' | 'blocked';

export interface FileViewer {
  userId: string;
  /** The highest band that they see clearly in this thread. */
  bandMax: number;
}

export function attachmentView({ state, nsfwBand, by }: Attachment, { userId, bandMax }: FileViewer): AttachmentView {
  if (state === 'quarantined' || state === 'failed') return state;
  if (state === 'cancelled' || state === 'removed') return 'gone';
  if (state !== 'ready') return 'pending';
  if (by === userId || (nsfwBand !== undefined && nsfwBand <= bandMax)) return 'clear';
  if (nsfwBand === undefined) return 'unjudged';
  return nsfwBand === bandMax + 1 ? 'blurred' : 'blocked';
}

/** Null if the file needs no words. */
export function viewWords(view: AttachmentView): string | null {
  switch (view) {
    case 'clear':
      return null;
    case 'pending':
      return 'This file is being checked.';
    case 'unjudged':
      return 'This picture is being checked.';
    case 'quarantined':
      return 'Held back: this file may be harmful or not allowed.';
    case 'failed':
      return 'This file could not be processed.';
    case 'gone':
      return 'This file was removed.';
    case 'blurred':
    case 'blocked':
      return 'Mature content, hidden by Safe-Mode.';
  }
}

/** An upload, rather than a reference to a file elsewhere. */
export function isUpload(attachment: Attachment): attachment is Attachment & { attachmentId: string } {
  return attachment.attachmentId !== undefined;
}

export function variantOf({ variants }: Attachment, name: VariantName): FileVariant | null {
  return variants?.find((variant) => variant.name === name) ?? null;
}

export function isVideo({ mime }: Attachment): boolean {
  return mime?.startsWith('video/') === true;
}

/** Shown as a picture in the list: it has a small copy. */
export function isPictured(attachment: Attachment): boolean {
  const drawn = attachment.mime?.startsWith('image/') === true || isVideo(attachment);
  return isUpload(attachment) && drawn && variantOf(attachment, 'thumb') !== null;
}

/** The width and height of a picture in the list, in pixels: at most 320, and not too narrow to be pressed. */
export function thumbSize(attachment: Attachment): { w: number | null; h: number | null } {
  const { w, h } = variantOf(attachment, 'thumb') ?? attachment;
  if (w === null || h === null || w < 1 || h < 1) return { w: null, h: null };
  const scale = Math.min(1, 320 / w, 320 / h);
  return { w: Math.max(1, Math.round(w * scale)), h: Math.max(1, Math.round(h * scale)) };
}
