/**
 * Calls that calls at random cannot make so that they are answered well: for lack of an emailed link, of what is outside, of
 * a runtime, or of rows that only other programs make. They are made all the same, and are to be refused as described.
 */
export const neverGood: ReadonlySet<string> = new Set([
  // What it takes is the operation's own, of which the document says nothing here.
  "POST /api/plan/{operation}",
  // Nor is anything at random an image.
  "POST /api/auth/settings/site/images",
  // No one knows what is in the mails, and the setup is done with the first admin.
  "GET /api/auth/verify-email/{token}",
  "POST /api/auth/verify-email/{token}",
  "GET /api/auth/reset-password/{token}",
  "POST /api/auth/reset-password/{token}",
  "GET /api/auth/setup/{token}",
  "POST /api/auth/setup",
  "GET /api/auth/invitations/{token}",
  "POST /api/auth/invitations/{token}",
  "POST /api/auth/passkey/ceremony/{token}",
  "GET /api/auth/email-change/{token}",
  "POST /api/auth/email-change/{token}",
  "GET /api/auth/unlink-provider/{token}",
  "POST /api/auth/unlink-provider/{token}",
  "DELETE /api/account/email",
  // Codes come from an app that no request sets up.
  "POST /api/auth/login/factor",
  "POST /api/account/totp/verify",
  "POST /api/account/totp/enable",
  "DELETE /api/account/totp",
  "POST /api/account/recovery-codes",
  // Nor are there authenticators, whose passkeys could be given, renamed or removed.
  "POST /api/auth/login/factor/ceremony",
  "POST /api/auth/passkey",
  "POST /api/account/passkeys",
  "PATCH /api/account/passkeys/{id}",
  "DELETE /api/account/passkeys/{id}",
  "POST /api/admin/users/{user}/second-factor/reset",
  // None of these services, nor a token for figures, are there.
  "GET /api/auth/{provider}",
  "GET /api/auth/{provider}/callback",
  "POST /api/auth/{provider}/backchannel-logout",
  "POST /api/account/confirm/provider",
  "POST /api/account/connections/{provider}",
  "DELETE /api/account/connections/{provider}",
  "POST /api/auth/settings/providers/{provider}/test",
  "POST /api/auth/settings/test-redis",
  "POST /api/auth/settings/test-r2",
  "POST /api/auth/settings/test-rate-limit",
  "GET /api/metrics",
  "POST /api/system/snapshots",
  // The one package has no interface, former version or earlier life.
  "GET /api/plugins/{name}/assets/{sha}/{path}",
  "GET /api/plugins/{name}/frame",
  "DELETE /api/plugins/{name}/versions/{version}",
  "POST /api/plugins/{name}/replace-publisher",
  "POST /api/plugins/{name}/restore",
  "DELETE /api/plugins/{name}/retained/{publisher}",
  "GET /api/plugin-host/{file}",
  // Only a change that would lock its maker out waits for their word.
  "POST /api/firewall/confirm",
  "POST /api/firewall/revert",
  // Addresses, by ids and numbers of a list that no one read.
  "POST /api/firewall/addresses",
  "PUT /api/firewall/addresses/{id}",
  "POST /api/firewall/addresses/delete",
  "POST /api/firewall/addresses/remove",
  "POST /api/firewall/bans",
  "POST /api/firewall/bans/lift",
  // Ids that the firewall chose itself, of rules and of blocked requests.
  "PUT /api/firewall/rates/{id}",
  "DELETE /api/firewall/rates/{id}",
  "PUT /api/firewall/exemptions/{id}",
  "DELETE /api/firewall/exemptions/{id}",
  "POST /api/firewall/proposals/{id}/accept",
  "POST /api/firewall/history/{id}/revert",
  "GET /api/firewall/explain/{id}",
  "GET /api/firewall/replay/{id}",
  "DELETE /api/firewall/replay/{id}",
  // A license is signed by who sells it.
  "PUT /api/licensing/licence",
  "DELETE /api/licensing/licence",
]);
