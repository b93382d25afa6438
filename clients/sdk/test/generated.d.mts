export const asyncapi: { channels: { session: { 'x-compact': unknown } } };
export function generated(): Record<string, string>;
export function sourceOf(file: string): string;
