import type { ErrorKind } from "./errors.ts";

/**
 * What to do about each failure, for whoever calls or operates the server; Markdown. Apart from the texts, so that only the
 * catalogue of errors is made of it and no page loads it.
 */
export const errorRemedies: Record<ErrorKind, string> = {
  BAD_REQUEST:
    "Send what the call's description at `/swagger` asks for: well-formed JSON in UTF-8, each header and parameter once, and no body with GET or HEAD.",
  TOKEN_INVALID:
    "Links work once and not for long. Ask for a new one. Of links to a new password only the newest counts.",
  NOT_SIGNED_IN:
    "Sign in, or send a valid token: the session or token is missing, has ended or was revoked. Do not repeat the call as it is.",
  INVALID_CREDENTIALS:
    "Check address and password, or have a link to a new password mailed. The answer does not tell which of them is wrong.",
  FORBIDDEN:
    "Call as somebody who may: an administrator, or a token whose scopes cover the call. Each call's needs are at `/swagger`.",
  REAUTHENTICATION_REQUIRED:
    "Confirm that it is you with `POST /api/account/confirm` and your password, or sign in again, and repeat the call within ten minutes. `data.ways` says which of them your account can. The admin area asks by itself; API tokens aren't asked.",
  SESSION_REQUIRED:
    "Sign in and do it in the admin area, or run the command on the server, where it talks to the control socket. API tokens can't do this, whatever their scopes.",
  CROSS_ORIGIN:
    "Call from a page of the origin in `APP_URL`. For another origin the operator adds it to `CORS_ORIGINS`; a proxy must pass `Host` and `Origin` on unchanged.",
  EMAIL_NOT_VERIFIED:
    "Follow the link in the mail, or have it sent again at `/verify`. Administrators can verify somebody by hand: `atrium user verify`.",
  REQUEST_BLOCKED:
    "A rule of a plugin, such as the firewall, refused the request. With the id in the header `x-atrium-block`, where there is one, `atrium firewall explain` says which rule and what helps (`docs/firewall.md`); otherwise look for the `requestId` in the log.",
  NOT_FOUND: "Check path and id. A path has exactly one spelling; what was deleted stays gone.",
  PLUGIN_NOT_FOUND: "Check the name with `atrium plugin list`; install the plugin first if it is missing.",
  METHOD_NOT_ALLOWED: "Use one of the methods in the answer's `Allow` header.",
  REQUEST_TIMEOUT:
    "Send the body without long pauses, over a better line or in smaller parts, and try again.",
  CONFLICT:
    "Read what is there now, decide anew, and repeat the change. The message says what stands against it.",
  PASSWORD_WANTED:
    "Send `{name, password}` with `POST` to the same path: the link is good, and whoever follows it chooses them. Only the browser that registered, known by its cookie `pending`, needs neither.",
  LAST_ADMIN: "Make somebody else an administrator first: `atrium user set-role`, or `atrium admin create`.",
  LAST_SIGN_IN_METHOD: "Set a password or link another provider, then try again.",
  PROVIDER_NOT_CONFIGURED:
    "Sign in another way. The operator sets a provider up with its variables in `docs/configuration.md`.",
  MANAGED_BY_FIREWALL: "Change it in the firewall, or switch off there what manages the core settings.",
  PLUGIN_EXISTS:
    "Raise the version in `plugin.json`. An older version is installed only when that is asked for.",
  PLUGIN_IS_CORE: "Leave it: it comes with the program and goes with it.",
  PLUGIN_NEEDED:
    "Disable or remove the plugins that the message names first, or agree that they go off, too.",
  PLUGIN_UNTRUSTED:
    "Have the package signed by a key that this server trusts, or install it whole anew when it was altered: see `docs/plugins/packaging.md`.",
  PLUGIN_START_FAILED:
    "Read why with `atrium plugin logs`, mend the plugin, and enable it again. The version before, if there was one, goes on.",
  DEPENDENCY_DISABLED: "Enable the plugins that the message names first.",
  CONSENT_REQUIRED:
    "Look at the permissions in `data`, and enable the plugin again granting them: on its page, or with `atrium plugin enable`.",
  PUBLISHER_CHANGED:
    "The package is not from the publisher of the installed plugin: `data` names both. Check where it comes from. If you mean to use it, replace the publisher on the plugin's page or with `atrium plugin replace-publisher`; it starts without the old one's data (`docs/plugins/packaging.md`).",
  PAYLOAD_TOO_LARGE:
    "Send less: the call's limit is at `/swagger`. A proxy in front may have a lower one of its own.",
  URI_TOO_LONG: "Shorten the query; long lists belong in a body.",
  UNSUPPORTED_MEDIA_TYPE:
    "Send `Content-Type: application/json` with JSON in UTF-8. Only uploads take `multipart/form-data`.",
  MISDIRECTED_HOST: "Call by the name in `APP_URL`. The operator adds further names to `ALLOWED_HOSTS`.",
  VALIDATION_FAILED:
    "Each entry of `errors` names a field by its `path` and says what it must be. Correct those, and send it again.",
  PLUGIN_INVALID:
    "Correct what `errors` lists, an entry for each problem. `atrium plugin verify` finds the same before an upload.",
  IDEMPOTENCY_KEY_REUSED:
    "Use a new `Idempotency-Key` for each new message, and the same one only to repeat the very same.",
  TEST_FAILED:
    "The result in `data.testResult` says which step failed. Correct that setting, and test again.",
  RATE_LIMITED: "Wait for the seconds in `Retry-After`, then go on slower: `RateLimit` says what is left.",
  INTERNAL:
    "A fault of the server. Try once more; then look for the `requestId` in the log, where the whole cause stands, and report it.",
  PROVIDER_UNAVAILABLE:
    "Try again in a while, or sign in another way. The log says what the provider answered.",
  PLUGIN_ERROR: "Read why with `atrium plugin logs`; update or disable the plugin when it goes on.",
  PLUGIN_UNAVAILABLE:
    "Try again after `Retry-After`: the plugin is being started. If it stays, it is disabled or was stopped; its page says why.",
  BUSY: "Try again after `Retry-After`. If it comes often, the machine is too small for what is asked of it.",
  DB_UNAVAILABLE:
    "Try again after `Retry-After`; nothing was written. The operator looks at the database: `atrium doctor` says what is wrong with it.",
  SHUTTING_DOWN: "Try again after `Retry-After`: the server restarts.",
  STARTING: "Try again after `Retry-After`. A start that takes long says in the log what it is waiting for.",
  STORAGE_UNAVAILABLE:
    "Try again after `Retry-After`. The operator checks the object storage: `atrium settings test r2`.",
  STORAGE_FULL:
    "Nothing was saved. Make room on the disk of `DATA_DIR` or of the database; writes go on by themselves, reads never stopped.",
};

/**
 * What to do about the failures of the server's HTTP parser, by status. It answers in front of everything else, without a
 * body, and closes the connection. Limits: Bun 1.4.5.
 */
export const parserRemedies = {
  400: "Send well-formed HTTP/1.1: one `Host`, one length, header lines that end in CR LF, an address that begins with `/`.",
  413: "Send less: a body that announces more than 40 MB is refused before the endpoint is known.",
  431: "Send fewer or shorter headers: a request has at most 198 of them, and they and the address 16 kB together. Large cookies are the usual cause.",
  505: "Speak HTTP/1.1 or HTTP/1.0. A proxy in front may speak HTTP/2 or HTTP/3 to its clients.",
} as const;
