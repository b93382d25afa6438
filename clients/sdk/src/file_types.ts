// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

export interface Attachment {
  /** file: an upload; manifest: a reference to files elsewhere; preview: imported by a service */
  kind: AttachmentKind;
  /** the key of a preview in the service's own store; set by services only */
  s3Key: string | null;
  /** the https URL of the manifest */
  manifestRef: string | null;
  /** media type */
  mime: string | null;
  /** width in pixels */
  w: number | null;
  /** height in pixels */
  h: number | null;
  /** the upload */
  attachmentId?: string;
  /** file name */
  name?: string;
  /** bytes, as stored */
  size?: number;
  /** SHA-256 of the stored bytes, hexadecimal */
  sha256?: string;
  /** the upload's state; only a file that is ready can be fetched */
  state?: FileState;
  /** 0 safe, 1 suggestive, 2 mature; left out: not judged yet */
  nsfwBand?: number;
  /** duration of audio or video in milliseconds */
  durationMs?: number;
  /** smaller copies that can be fetched */
  variants?: readonly FileVariant[];
  /** when the upload began */
  createdAt?: string;
  /** the uploader */
  by?: string;
}

export type AttachmentKind = 'preview' | 'manifest' | 'file';

export type FileState = 'requested' | 'uploading' | 'scanning' | 'ready' | 'quarantined' | 'failed' | 'cancelled' | 'removed';

export interface FileVariant {
  /** the value of `variant` that fetches it */
  name: VariantName;
  /** media type */
  mime: string;
  /** width in pixels */
  w: number | null;
  /** height in pixels */
  h: number | null;
  /** bytes */
  size: number;
}

export type VariantName = 'original' | 'preview' | 'thumb' | 'blurred';
