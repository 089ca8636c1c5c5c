import { pageSettingsTexts } from "./settings.ts";

/** Every failure's stable code and the HTTP status it is answered with. Source of the statuses: RFC 9110 §15, RFC 6585. */
export const errorStatus = {
  BAD_REQUEST: 400,
  TOKEN_INVALID: 400,
  NOT_SIGNED_IN: 401,
  INVALID_CREDENTIALS: 401,
  CODE_INVALID: 401,
  FORBIDDEN: 403,
  SECOND_FACTOR_REQUIRED: 403,
  REAUTHENTICATION_REQUIRED: 403,
  SESSION_REQUIRED: 403,
  PASSKEY_REFUSED: 403,
  ENROLMENT_REQUIRED: 403,
  CROSS_ORIGIN: 403,
  EMAIL_NOT_VERIFIED: 403,
  REGISTRATION_CLOSED: 403,
  REQUEST_BLOCKED: 403,
  NOT_FOUND: 404,
  PLUGIN_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PASSWORD_WANTED: 409,
  LAST_ADMIN: 409,
  LAST_SIGN_IN_METHOD: 409,
  LAST_SECOND_FACTOR: 409,
  SECOND_FACTOR_FIRST: 409,
  PROVIDER_NOT_CONFIGURED: 409,
  MANAGED_BY_FIREWALL: 409,
  PLUGIN_EXISTS: 409,
  PLUGIN_IS_CORE: 409,
  PLUGIN_NEEDED: 409,
  PLUGIN_UNTRUSTED: 409,
  PLUGIN_START_FAILED: 409,
  DEPENDENCY_DISABLED: 409,
  CONSENT_REQUIRED: 409,
  PUBLISHER_CHANGED: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED_HOST: 421,
  VALIDATION_FAILED: 422,
  PLUGIN_INVALID: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  TEST_FAILED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  SECOND_FACTOR_UNREADABLE: 500,
  PROVIDER_UNAVAILABLE: 502,
  PLUGIN_ERROR: 502,
  BUSY: 503,
  DB_UNAVAILABLE: 503,
  PLUGIN_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
  STARTING: 503,
  STORAGE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

/** A failure's stable code, as it is in the error envelope. */
export type ErrorKind = keyof typeof errorStatus;

/** One complaint about one field; `path` is dotted (`redis.endpoint`), empty for the body as a whole. */
export type FieldError = { path: string; message: string };

/** The body of every failed call. */
export type ErrorEnvelope = {
  success: false;
  code: ErrorKind;
  message: string;
  requestId: string;
  errors?: FieldError[];
  needsVerification?: true;
  /** What the call found out nevertheless, such as the result of a test that failed. */
  data?: unknown;
};

/** Said before anyone tries, too: by itself, so that a page that shows it need not load the others. */
export const lastAdminText = "This is the last administrator; make someone else an administrator first";

/** What a person reads when a failure brings no better words of its own. */
export const errorTexts: Record<ErrorKind, string> = {
  BAD_REQUEST: "The request could not be read",
  TOKEN_INVALID: "This link is invalid or has expired",
  NOT_SIGNED_IN: "Please sign in",
  INVALID_CREDENTIALS: "Invalid email or password",
  CODE_INVALID: "That code is not right. Wait for the next one and try again.",
  FORBIDDEN: "You are not allowed to do this",
  SECOND_FACTOR_REQUIRED: "Use your second factor to finish signing in",
  REAUTHENTICATION_REQUIRED: "Please sign in again first",
  SESSION_REQUIRED: "API tokens can't do this; sign in, or use the command line on the server",
  PASSKEY_REFUSED: "This passkey could not be verified. Please try again.",
  ENROLMENT_REQUIRED: "Set up two-factor authentication first: it is required for your account",
  CROSS_ORIGIN: "This request came from another site and was refused",
  EMAIL_NOT_VERIFIED: "Please verify your email before logging in",
  REGISTRATION_CLOSED: "Registration is closed.",
  REQUEST_BLOCKED: "This request was blocked",
  NOT_FOUND: "Not found",
  PLUGIN_NOT_FOUND: "This plugin is not installed",
  METHOD_NOT_ALLOWED: "This method is not supported here",
  REQUEST_TIMEOUT: "The request took too long to arrive",
  CONFLICT: "This was changed in the meantime",
  PASSWORD_WANTED: "Choose a name and a password to finish creating your account",
  LAST_ADMIN: lastAdminText,
  LAST_SIGN_IN_METHOD: "This is your only way to sign in; add another one first",
  LAST_SECOND_FACTOR: "Two-factor authentication is required for your account; set up another method first",
  SECOND_FACTOR_FIRST:
    "Set up two-factor authentication for your own account, with recovery codes, before you require it",
  PROVIDER_NOT_CONFIGURED: "This sign-in provider is not configured on this server",
  MANAGED_BY_FIREWALL: pageSettingsTexts.managedByFirewall,
  PLUGIN_EXISTS: "This version is not newer than the installed one",
  PLUGIN_IS_CORE: "This is a core plugin and cannot be deleted",
  PLUGIN_NEEDED: "Other plugins need this one",
  PLUGIN_UNTRUSTED: "This package can't be enabled here",
  PLUGIN_START_FAILED: "The plugin could not start",
  DEPENDENCY_DISABLED: "This plugin needs other plugins that are not enabled",
  CONSENT_REQUIRED: "This plugin asks for permissions that have to be granted first",
  PUBLISHER_CHANGED: "This version is from another publisher than the installed plugin",
  PAYLOAD_TOO_LARGE: "The request is too large",
  URI_TOO_LONG: "The address is too long",
  UNSUPPORTED_MEDIA_TYPE: "Please send application/json",
  MISDIRECTED_HOST: "This server does not answer for that host name",
  VALIDATION_FAILED: "Please check the highlighted fields",
  PLUGIN_INVALID: "This package is not a usable plugin",
  IDEMPOTENCY_KEY_REUSED: "This idempotency key was used for another message",
  TEST_FAILED: "The test failed",
  RATE_LIMITED: "Too many requests, please try again later",
  INTERNAL: "Something went wrong",
  SECOND_FACTOR_UNREADABLE: "Your second factor can't be read. Ask the operator.",
  PROVIDER_UNAVAILABLE: "The sign-in provider did not respond as expected",
  PLUGIN_ERROR: "The plugin failed to respond",
  PLUGIN_UNAVAILABLE: "Plugin is not available",
  BUSY: "The server is busy, please try again in a moment",
  DB_UNAVAILABLE: "The database is not available at the moment, please try again",
  STARTING: "The server is starting, please try again in a moment",
  SHUTTING_DOWN: "The server is restarting, please try again in a moment",
  STORAGE_UNAVAILABLE: "The object storage is not available at the moment, please try again",
  STORAGE_FULL: "The disk is full; nothing was saved",
};

/** Complaints about a field that have nothing to do with what it is for. */
export const fieldTexts = {
  required: "This field is required",
  unknown: "This field is not supported here",
  repeated: "Please send this field only once",
  unprintable: "Please leave out control and invisible characters",
  notAnObject: "Please send one JSON object",
} as const;

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
