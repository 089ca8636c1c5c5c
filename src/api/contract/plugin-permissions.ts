/** What a plugin can ask for, in the order in which admins are asked. */
export const permissionNames = [
  "routes",
  "routes.user",
  "routes.public",
  "storage.kv",
  "storage.files.read",
  "storage.files.write",
  "net.fetch",
  "settings.write",
  "secrets.read",
  "activity.write",
  "events",
  "schedule",
  "users.read",
  "mail.send",
  "mail.send:anyone",
  "request.rules",
  "plugins.call",
  "ui.page",
  "ui.overlay",
  "ui.site",
  "ui.native",
  "native",
] as const;
export type PermissionName = (typeof permissionNames)[number];

/** One permission as it is asked for or granted. `hosts` belong to `net.fetch`, `plugins` to `plugins.call`. */
export type Permission = { name: PermissionName; hosts?: string[]; plugins?: string[]; reason?: string };
