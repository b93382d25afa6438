/** Staff roles that a demo's visitor may choose. */
export const kStaffRoles = ['moderator', 'support', 'admin'] as const;
export type StaffRole = (typeof kStaffRoles)[number];

const kIdPattern = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Returns true for ids of users and ids made by the server. */
export function isId(text: string): boolean {
  return kIdPattern.test(text);
}

export function staffRoleOf(text: string | null): StaffRole | null {
  return kStaffRoles.find((known) => known === text) ?? null;
}
