/** 128 random bits; crypto.randomUUID would need a secure context, which a plain http page on a LAN is not. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
