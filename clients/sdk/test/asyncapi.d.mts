export const asyncapi: { channels: { session: { 'x-compact': unknown } } };
