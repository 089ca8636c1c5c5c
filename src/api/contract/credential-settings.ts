import { type Complaint, hasUnprintable } from "./account-rules.ts";
import {
  defineSettings,
  endpoint,
  identifier,
  type SecretPathOf,
  secret,
  type ValuesOf,
} from "./define-settings.ts";
import { decoded, hasForeignPort, plainS3Endpoint, splitRedisEndpoint } from "./endpoints.ts";
import { trimmed } from "./limits.ts";
import { pageSettingsTexts } from "./settings.ts";

// A name has 253 characters at most (RFC 1035 §2.3.4), and may end with a dot.
const originLength = "https://".length + 254 + ":65535/".length;
const redisForm =
  /^rediss?:\/\/(?:(?:[^\s:@/?#[\]]*:)?[^\s@/?#[\]]*@)?(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?)(?::(\d{1,5}))?(?:\/(\d{1,4})?)?$/;

/** How long what is entered may be, in UTF-16 units: the endpoint of Redis, and any secret. */
export const credentialLengths = { endpoint: 500, secret: 1_000 } as const;

/** Complaint about a Redis endpoint, `redis[s]://[[user]:password@]host[:port][/db]`. Empty is fine: Redis is optional. */
export const redisEndpointComplaint = (endpoint: string): Complaint => {
  if (endpoint === "") return null;
  const form = endpoint.length <= credentialLengths.endpoint ? redisForm.exec(endpoint) : null;
  const isReadable = form !== null && URL.canParse(endpoint) && splitRedisEndpoint(endpoint) !== null;
  if (!isReadable) return pageSettingsTexts.redisEndpointInvalid;
  const port = form[1] === undefined ? 6379 : Number(form[1]);
  if (port < 1 || port > 65_535) return pageSettingsTexts.redisEndpointInvalid;
  // Escapes are undone before user and password are sent.
  if (hasUnprintable(decoded(endpoint) ?? "")) return pageSettingsTexts.passwordUnprintable;
  return hasForeignPort(endpoint) ? pageSettingsTexts.addressRefused : null;
};

/** Complaint about a bucket's name. Empty is fine: object storage is optional. Source of the rules: R2's bucket naming. */
export const bucketComplaint = (bucket: string): Complaint => {
  if (bucket === "") return null;
  if (bucket.length < 3 || bucket.length > 63) return pageSettingsTexts.bucketLength;
  if (!/^[a-z0-9-]+$/.test(bucket)) return pageSettingsTexts.bucketCharacters;
  if (bucket.startsWith("-") || bucket.endsWith("-")) return pageSettingsTexts.bucketEdges;
  return bucket.includes("--") ? pageSettingsTexts.bucketHyphens : null;
};

/** Complaint about an API token of at least 20 letters, digits, underscores and hyphens. Empty is fine. */
export const apiTokenComplaint = (token: string): Complaint => {
  if (token === "") return null;
  if (token.length > credentialLengths.secret) return pageSettingsTexts.secretTooLong;
  if (token.length < 20) return pageSettingsTexts.tokenShort;
  return /^[A-Za-z0-9_-]+$/.test(token) ? null : pageSettingsTexts.tokenCharacters;
};

/** Complaint about an access key id of at least 16 characters of base64. Empty is fine. */
export const accessKeyIdComplaint = (keyId: string): Complaint =>
  keyComplaint(keyId, pageSettingsTexts.accessKeyShort, pageSettingsTexts.accessKeyCharacters);

/** Complaint about a secret access key of at least 16 characters of base64. Empty is fine. */
export const secretAccessKeyComplaint = (key: string): Complaint =>
  keyComplaint(key, pageSettingsTexts.secretKeyShort, pageSettingsTexts.secretKeyCharacters);

const keyComplaint = (key: string, short: string, characters: string): Complaint => {
  if (key === "") return null;
  if (key.length > credentialLengths.secret) return pageSettingsTexts.secretTooLong;
  if (key.length < 16) return short;
  // Base64, its variant for addresses, and the colon by which some servers join account and key.
  return /^[A-Za-z0-9+/=_:-]+$/.test(key) ? null : characters;
};

const r2Form = /^https:\/\/[0-9a-fA-F]{32}(?:\.eu|\.fedramp)?\.r2\.cloudflarestorage\.com$/;

/**
 * Complaint about an S3 endpoint in the form in which it is kept, see `plainS3Endpoint`: Cloudflare R2, or one of the origins
 * that the operator listed. Empty is fine: object storage is optional.
 */
export const s3EndpointComplaint = (endpoint: string, otherOrigins: readonly string[] = []): Complaint => {
  if (endpoint === "" || isR2Endpoint(endpoint)) return null;
  if (!otherOrigins.includes(endpoint)) return pageSettingsTexts.s3EndpointInvalid;
  return hasForeignPort(endpoint) ? pageSettingsTexts.addressRefused : null;
};

/** Whether an endpoint is one of Cloudflare R2's own. */
export const isR2Endpoint = (endpoint: string): boolean => r2Form.test(endpoint);

/** Complaint about a Redis password: only its length, and characters that no password has. Empty is fine. */
export const redisPasswordComplaint = (password: string): Complaint => {
  if (password.length > credentialLengths.secret) return pageSettingsTexts.secretTooLong;
  return hasUnprintable(password) ? pageSettingsTexts.passwordUnprintable : null;
};

const ofStorage = { readsEmpty: true, documented: trimmed(0, credentialLengths.secret) } as const;

/** The external services, a group each. */
export const credentialSettings = defineSettings("credentials", {
  redis: {
    endpoint: endpoint({
      label: "Redis URL",
      hint: "Leave empty to work without Redis. A password in the URL moves to the field below.",
      about: "redis[s]://host[:port][/db]",
      description: "`redis[s]://[[user]:password@]host[:port][/db]`; a password in it is kept as the secret",
      placeholder: "redis://redis.example:6379",
      documented: trimmed(0, credentialLengths.endpoint),
      complaint: (text) => redisEndpointComplaint(text.trim()),
      split: (text) => splitRedisEndpoint(text),
      isStorable: (text) =>
        // A password has no business there: someone else has written the row.
        text === "" || (redisEndpointComplaint(text) === null && splitRedisEndpoint(text)?.password === null),
    }),
    password: secret({
      label: "Redis Password",
      about: "password for Redis",
      description: "Password",
      readsEmpty: false,
      keepsSpace: true,
      documented: { maxLength: credentialLengths.secret },
      complaint: redisPasswordComplaint,
    }),
  },
  cloudflareR2: {
    bucket: identifier({
      label: "Bucket Name",
      about: "name of the bucket",
      description: "Name of the bucket: 3 to 63 lowercase letters, digits and hyphens",
      documented: { pattern: "^\\s*(?:[a-z0-9-]{3,63}\\s*)?$" },
      complaint: bucketComplaint,
    }),
    token: secret({
      label: "API Token",
      hint: "Optional; used to check the account with Cloudflare.",
      about: "API token of Cloudflare",
      description: "API token of Cloudflare",
      complaint: apiTokenComplaint,
      ...ofStorage,
    }),
    accessKeyId: secret({
      label: "Access Key ID",
      about: "ID of the access key",
      description: "ID of the access key",
      complaint: accessKeyIdComplaint,
      ...ofStorage,
    }),
    secretAccessKey: secret({
      label: "Secret Access Key",
      about: "secret of the access key",
      description: "Secret of the access key",
      complaint: secretAccessKeyComplaint,
      ...ofStorage,
    }),
    endpointS3: endpoint({
      label: "S3 Endpoint",
      about: "https URL of the object storage",
      description: "`https://<32 hex characters>.r2.cloudflarestorage.com`, or an origin of `S3_ENDPOINTS`",
      placeholder: "https://<32 hex characters>.r2.cloudflarestorage.com",
      documented: trimmed(0, originLength),
      complaint: (text, listed) => s3EndpointComplaint(plainS3Endpoint(text), listed),
      split: (text) => ({ endpoint: plainS3Endpoint(text), password: null }),
      isStorable: (text) => /^(?:https?:\/\/[^\s/?#]+)?$/.test(text),
    }),
  },
});

/** What admins enter about the external services. */
export type CredentialSettings = ValuesOf<typeof credentialSettings>;
/** A secret of a service, by the path of its field. */
export type SecretName = SecretPathOf<CredentialSettings>;
