/**
 * Commands that do what no page does: they run the server or look after this machine's installation, tell of the program itself, or
 * are for authors of plugins.
 */
export const withoutPage: readonly string[] = [
  ...["serve", "migrate", "migrate embedded-to-postgres", "admin create", "restore", "support-bundle"],
  ...["passwords build-filter", "user set-email", "user set-password"],
  ...["secrets new-key", "secrets rotate", "secrets status"],
  ...["snapshot create", "snapshot list", "snapshot restore"],
  ...["api", "completion", "man", "openapi", "schema"],
  ...["plugin dev", "plugin keygen", "plugin pack", "plugin sign", "plugin verify"],
];
