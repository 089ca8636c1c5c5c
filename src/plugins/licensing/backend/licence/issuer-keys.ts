/**
 * The public keys whose licences every installation takes, raw in base64. The private keys that belong to them are with the
 * issuer and in no repository; a new one is made by `scripts/issue-licence.ts keygen`, and added here before the old one goes.
 */
export const issuerKeys: readonly string[] = ["y0P0RNbAJtnfUFE3sLFvJEZlb4XeWXwaMy8r+beRUuQ="];
