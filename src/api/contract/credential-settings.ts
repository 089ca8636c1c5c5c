import {
  accessKeyIdComplaint,
  apiTokenComplaint,
  bucketComplaint,
  credentialLengths,
  redisEndpointComplaint,
  redisPasswordComplaint,
  s3EndpointComplaint,
  secretAccessKeyComplaint,
} from "./credential-rules.ts";
import {
  defineSettings,
  endpoint,
  identifier,
  type SecretPathOf,
  secret,
  type ValuesOf,
} from "./define-settings.ts";
import { trimmed } from "./documented-limits.ts";
import { plainS3Endpoint, splitRedisEndpoint } from "./endpoints.ts";

// A name has 253 characters at most (RFC 1035 §2.3.4), and may end with a dot.
const originLength = "https://".length + 254 + ":65535/".length;
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
