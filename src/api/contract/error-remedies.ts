import type { ErrorKind } from "./errors.ts";

/**
 * What to do about each failure, for whoever calls or operates the server; Markdown. Apart from the texts, so that only the
 * catalogue of errors is made of it and no page loads it.
 */
export const errorRemedies: Record<ErrorKind, string> = {
  BAD_REQUEST:
    "Send what the operation's description at `/swagger` asks for: well-formed JSON in UTF-8, each header and parameter once, and no body with GET or HEAD.",
  TOKEN_INVALID:
    "Links work once and expire. Request a new one. Of several links to a new password, only the newest works.",
  NOT_SIGNED_IN:
    "Sign in, or send a valid token: the session or token is missing, expired or revoked. Don't repeat the request unchanged.",
  INVALID_CREDENTIALS:
    "Check email address and password, or request a link to a new password. The response doesn't say which of them is wrong.",
  CODE_INVALID:
    "Wait for the next code of the authenticator app, check that the device's clock is right, and send that one; each code works once. A recovery code works, too.",
  FORBIDDEN:
    "Use an account or token with the permission: an administrator, or a token with the right scope. `/swagger` says what each operation needs.",
  SECOND_FACTOR_REQUIRED:
    "The password is right. Send a code or a passkey with `POST /api/auth/login/factor` within ten minutes, together with the cookie `step` of this response: `data.ways` says what the account has.",
  REAUTHENTICATION_REQUIRED:
    "Confirm that it is you with `POST /api/account/confirm` and your password, or sign in again, and repeat the request within ten minutes. `data.ways` lists what your account can use. The admin area asks automatically; API tokens aren't asked.",
  SESSION_REQUIRED:
    "Sign in and do it in the admin area, or run the command on the server, where it uses the control socket. API tokens can't do this, whatever their scopes.",
  PASSKEY_REFUSED:
    "Ask for a new challenge and send the browser's answer to that: each challenge counts once, for five minutes, and for one purpose. The message says so if the passkey itself is unknown or blocked.",
  ENROLMENT_REQUIRED:
    "Set up a second factor on the account page: `accounts.secondFactor` requires one, and the time to set it up is over. Until then the session can do nothing else, and the owner's API tokens are refused; both work again afterwards.",
  CROSS_ORIGIN:
    "Send the request from a page of the origin in `APP_URL`. For another origin, the operator adds it to `CORS_ORIGINS`; a proxy must pass on `Host` and `Origin` unchanged.",
  EMAIL_NOT_VERIFIED:
    "Follow the link in the email, or have it sent again at `/verify`. Administrators can verify a user manually: `atrium user verify`.",
  REGISTRATION_CLOSED:
    "Register with an address at a domain that the message names, or ask an administrator for an invitation: the setting `accounts.registration` says who may register.",
  REQUEST_BLOCKED:
    "A rule of a plugin, such as the firewall, refused the request. If the response has the header `x-atrium-block`, `atrium firewall explain` with its id says which rule it was and what to do (`docs/firewall.md`); otherwise look for the `requestId` in the log.",
  NOT_FOUND: "Check path and id. Each path has exactly one spelling, and deleted things are not found.",
  PLUGIN_NOT_FOUND: "Check the name with `atrium plugin list`; install the plugin first if it is missing.",
  METHOD_NOT_ALLOWED: "Use one of the methods in the response's `Allow` header.",
  REQUEST_TIMEOUT:
    "Send the body without long pauses, over a faster connection or in smaller parts, and try again.",
  CONFLICT:
    "Read the current state, decide again, and repeat the change. The message says what conflicts with it.",
  PASSWORD_WANTED:
    "Send `{name, password}` with `POST` to the same path: the link is valid, and they are chosen by the person who follows it. Only the browser that registered, known by its cookie `pending`, needs neither.",
  LAST_ADMIN: "Make someone else an administrator first: `atrium user set-role`, or `atrium admin create`.",
  LAST_SIGN_IN_METHOD: "Set a password or link another provider, then try again.",
  LAST_SECOND_FACTOR:
    "Set up another second factor before you remove this one, or have an administrator change `accounts.secondFactor`.",
  SECOND_FACTOR_FIRST:
    "Set up a second factor and store its recovery codes, then require it from others. On the server, `atrium settings set accounts.secondFactor` works without.",
  PROVIDER_NOT_CONFIGURED:
    "Sign in another way. The operator configures a provider with its variables in `docs/configuration.md`.",
  MANAGED_BY_FIREWALL: "Change it in the firewall, or turn off there what manages the core settings.",
  PLUGIN_EXISTS: "Raise the version in `plugin.json`. An older version is installed only on request.",
  PLUGIN_IS_CORE: "Leave it installed: it is part of the program.",
  PLUGIN_NEEDED: "Disable or remove the plugins that the message names first, or agree to disable them, too.",
  PLUGIN_UNTRUSTED:
    "Have the package signed with a key that this server trusts, or install it again if its files were changed: see `docs/plugins/packaging.md`.",
  PLUGIN_START_FAILED:
    "Read the reason with `atrium plugin logs`, fix the plugin, and enable it again. The previous version, if there is one, keeps running.",
  DEPENDENCY_DISABLED: "Enable the plugins that the message names first.",
  CONSENT_REQUIRED:
    "Look at the permissions in `data`, and enable the plugin again granting them: on its page, or with `atrium plugin enable`.",
  PUBLISHER_CHANGED:
    "The package is not from the publisher of the installed plugin: `data` names both. Check where it comes from. To use it, replace the publisher on the plugin's page or with `atrium plugin replace-publisher`; it starts without the old one's data (`docs/plugins/packaging.md`).",
  PAYLOAD_TOO_LARGE:
    "Send less: `/swagger` names the operation's limit. A proxy in front may have a lower limit.",
  URI_TOO_LONG: "Shorten the query; send long lists in a body.",
  UNSUPPORTED_MEDIA_TYPE:
    "Send `Content-Type: application/json` with JSON in UTF-8. Only uploads take `multipart/form-data`.",
  MISDIRECTED_HOST: "Use the host name in `APP_URL`. The operator adds further names to `ALLOWED_HOSTS`.",
  VALIDATION_FAILED:
    "Each entry of `errors` names a field by its `path` and says what it must be. Correct those, and send the request again.",
  PLUGIN_INVALID:
    "Correct what `errors` lists, one entry per problem. `atrium plugin verify` finds the same before an upload.",
  IDEMPOTENCY_KEY_REUSED:
    "Use a new `Idempotency-Key` for each new message, and the same one only to repeat exactly the same message.",
  TEST_FAILED:
    "The result in `data.testResult` says which step failed. Correct that setting, and test again.",
  RATE_LIMITED:
    "Wait for the seconds in `Retry-After`, then send requests more slowly: `RateLimit` says what is left.",
  INTERNAL:
    "An error in the server. Try again; if it persists, look for the `requestId` in the log, which has the full cause, and report it.",
  SECOND_FACTOR_UNREADABLE:
    "The key that encrypted the authenticator app's secret isn't configured: see `atrium secrets status`. Recovery codes still work. Otherwise the operator resets the second factor with `atrium user reset-second-factor`.",
  PROVIDER_UNAVAILABLE: "Try again later, or sign in another way. The log has the provider's response.",
  PLUGIN_ERROR: "Read the reason with `atrium plugin logs`; update or disable the plugin if it persists.",
  PLUGIN_UNAVAILABLE:
    "Try again after `Retry-After`: the plugin is starting. If it persists, the plugin is disabled or was stopped; its page says why.",
  BUSY: "Try again after `Retry-After`. If it happens often, the machine is too small for its load.",
  DB_UNAVAILABLE:
    "Try again after `Retry-After`; nothing was written. The operator checks the database: `atrium doctor` says what is wrong.",
  SHUTTING_DOWN: "Try again after `Retry-After`: the server restarts.",
  STARTING: "Try again after `Retry-After`. If starting takes long, the log says what it is waiting for.",
  STORAGE_UNAVAILABLE:
    "Try again after `Retry-After`. The operator checks the object storage: `atrium settings test r2`.",
  STORAGE_FULL:
    "Nothing was saved. Free disk space in `DATA_DIR` or on the database's disk; writes then resume automatically, and reads are never affected.",
};

/**
 * What to do about the failures of the server's HTTP parser, by status. It answers in front of everything else, without a
 * body, and closes the connection. Limits: Bun 1.4.5.
 */
export const parserRemedies = {
  400: "Send well-formed HTTP/1.1: one `Host`, one length, header lines that end in CR LF, a path that begins with `/`.",
  413: "Send less: a body that announces more than 40 MB is refused before the endpoint is known.",
  431: "Send fewer or shorter headers: a request has at most 198 of them, and together with the URL at most 16 kB. Large cookies are the usual cause.",
  505: "Speak HTTP/1.1 or HTTP/1.0. A proxy in front may speak HTTP/2 or HTTP/3 to its clients.",
} as const;
