/** Roles of staff that a demo's visitor may take. */
export const kStaffRoles = ['moderator', 'support', 'admin'] as const;
export type StaffRole = (typeof kStaffRoles)[number];

const kIdPattern = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Ids of users, and those that the server makes. */
export function isId(text: string): boolean {
  return kIdPattern.test(text);
}

export function staffRoleOf(text: string | null): StaffRole | null {
  return kStaffRoles.find((known) => known === text) ?? null;
}
