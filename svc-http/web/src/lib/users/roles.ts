/** Roles, as forms offer them. */

export const ROLES = [
  { value: 'user', title: 'User' },
  { value: 'admin', title: 'Administrator' },
] as const;
