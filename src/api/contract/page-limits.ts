/** Bounds that pages and the forms' rules hold as well as the server. Source of an address's length: RFC 5321 §4.5.3.1. */
export const pageLimits = {
  nameLength: 100,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  messageLength: 5_000,
  pageSize: 25,
  exportRows: 10_000,
  activitySearchLength: 200,
  // Of one visitor while plugins' routes are left out of the limit: several people may share an address.
  pluginCallsByVisitor: 600,
} as const;
