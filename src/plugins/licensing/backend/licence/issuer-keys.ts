/**
 * The public keys whose licenses every installation accepts, raw in base64: add yours here if you distribute this program under your
 * own licenses. `scripts/issue-licence.ts keygen` creates a key pair; never commit the private key. To rotate, add the new key before
 * you remove the old one. While this list is empty, only the key in the plugin's settings is used.
 */
export const issuerKeys: readonly string[] = [];
