import type { ParleyClient, VariantName } from '@parley/sdk';
import { saveFile, type AskUrl } from '@parley/shared';
import { useCallback } from 'react';
import { useClient } from './client_context.js';

/** Asks for the address of a file's variant. */
export function useAsk(attachmentId: string, variant: VariantName): AskUrl {
  const client = useClient();
  return useCallback((fresh) => client.fileUrl(attachmentId, { variant, fresh }), [client, attachmentId, variant]);
}

/** Saves a file under its name. */
export async function download(client: ParleyClient, attachmentId: string, name: string): Promise<void> {
  saveFile(await client.fileUrl(attachmentId), name);
}
