import { createHmac, hkdfSync } from "node:crypto";

/**
 * Makes names of keys under which nobody finds out whom they are about, nor which name somebody's key has: they hold
 * addresses of people, of which there are few enough to try them all. `secret` is known to all processes of the installation,
 * and to nobody else; each `purpose` has names of its own.
 */
export const hideKeys = (secret: Uint8Array, purpose: string): ((key: string) => string) => {
  // Derived for the first one: many installations have no Redis.
  let hidingKey: Uint8Array | null = null;
  return (key) => {
    hidingKey ??= new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
    return createHmac("sha256", hidingKey).update(key).digest("hex");
  };
};
