import { keyComplaint, UnusableKeyError } from "#api/core/key-complaint.ts";
import { readOrMakeKeyFile } from "./key-file.ts";

/** The part of the configuration that says where the key comes from. */
export type AppKeyConfig = { appSecret: string | null; appSecretPrevious: string | null; dataDir: string };

/** The root of all derived keys, and the one before it while a change of key is under way. */
export type AppKey = { root: Uint8Array; previous: Uint8Array | null };

/**
 * The installation's key: `APP_SECRET`, else the text of `DATA_DIR/app.key`, which is made when `mayMake` says that no
 * key was ever used. Both are taken as UTF-8 text, so that the file's content can be moved into the variable as it is.
 * Throws `UnusableKeyError`.
 */
export const loadAppKey = (config: AppKeyConfig, mayMake: boolean): AppKey => {
  const root =
    config.appSecret === null
      ? readOrMakeKeyFile(config.dataDir, mayMake)
      : acceptable("APP_SECRET", config.appSecret);
  const previous =
    config.appSecretPrevious === null ? null : acceptable("APP_SECRET_PREVIOUS", config.appSecretPrevious);
  return { root, previous };
};

const acceptable = (variable: string, secret: string): Uint8Array => {
  const complaint = keyComplaint(secret);
  if (complaint === null) return new TextEncoder().encode(secret);
  throw new UnusableKeyError(
    `${variable} ${complaint}. Set it to at least 32 random bytes, for example the output of: openssl rand -base64 48`,
  );
};
