/** 128 random bits. crypto.randomUUID needs a secure context, which plain http on a LAN is not. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
