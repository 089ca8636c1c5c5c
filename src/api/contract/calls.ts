// Written by scripts/write-operations.ts from the contracts.
/**
 * What each operation is called with: method, path, `=` where it takes a body, and the names whose place does not follow from
 * that: `?name` is in the query, `#name` a header. What is neither is in the body, or without one in the query. `~` says that
 * the answer may take minutes.
 */
export const calls = {
  "account.get": "GET /api/account",
  "account.sessions": "GET /api/account/sessions",
  "account.endOtherSessions": "DELETE /api/account/sessions",
  "account.unlink": "DELETE /api/account/connections/:provider",
  "account.export": "GET /api/account/export",
  "contact.send": "POST /api/contact = #idempotency-key",
  "contact.list": "GET /api/admin/contact",
  "contact.get": "GET /api/admin/contact/:id",
  "contact.update": "PUT /api/admin/contact/:id =",
  "contact.remove": "DELETE /api/admin/contact/:id",
  "contact.export": "GET /api/admin/contact/export",
  "mail.status": "GET /api/admin/mail",
  "mail.get": "GET /api/admin/mails/:id",
  "mail.list": "GET /api/admin/mails",
  "mail.retry": "POST /api/admin/mails/:id/retry",
  "mail.retryAll": "POST /api/admin/mails/retry",
  "mail.discard": "DELETE /api/admin/mails/:id",
  "mail.test": "POST /api/auth/settings/test-mail =",
  "tokens.create": "POST /api/admin/tokens =",
  "tokens.list": "GET /api/admin/tokens",
  "tokens.current": "GET /api/admin/tokens/current",
  "tokens.change": "PATCH /api/admin/tokens/:id =",
  "tokens.revoke": "POST /api/admin/tokens/:id/revoke =",
  "tokens.remove": "DELETE /api/admin/tokens/:id",
  "users.list": "GET /api/admin/users",
  "users.get": "GET /api/admin/users/:user",
  "users.pending": "GET /api/admin/pending-users",
  "users.create": "POST /api/admin/users =",
  "users.setRole": "PUT /api/admin/users/:user/role =",
  "users.disable": "POST /api/admin/users/:user/disable",
  "users.enable": "POST /api/admin/users/:user/enable",
  "users.verifyPending": "POST /api/admin/pending-users/:user/verify",
  "users.sendReset": "POST /api/admin/users/:user/send-reset",
  "users.signOut": "DELETE /api/admin/users/:user/sessions",
  "users.remove": "DELETE /api/admin/users/:user",
  "users.removePending": "DELETE /api/admin/pending-users/:user",
} as const;
