import { pageSettingsTexts } from "./settings-texts.ts";

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
