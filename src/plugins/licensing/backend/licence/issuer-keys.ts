/**
 * The public keys whose licences every installation takes, raw in base64: those of whoever hands this program out under licences of
 * their own. `scripts/issue-licence.ts keygen` makes one, whose private half belongs into no repository; a new key is added before
 * the old one goes. Without any, the key in the plugin's settings counts alone.
 */
export const issuerKeys: readonly string[] = [];
