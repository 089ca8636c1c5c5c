import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import type { TotpSetup } from "./contract.ts";

// What every authenticator app takes. Sources: RFC 4226 §4 (160 bits), RFC 6238 §4.1 and §5.2 (30 s, one step either way).
const shape = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const secretBytes = 20;
const stepsEitherWay = 1;

/** A new secret of an authenticator app. */
export const newTotpSecret = (): Uint8Array => new Uint8Array(randomBytes(secretBytes));

const asSecret = (secret: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(secret).buffer });

/**
 * The time step that a code belongs to, or `null` if it is wrong, more than one step away, or not newer than `lastStep`, the
 * newest that was accepted. Spaces and hyphens are ignored. Only storing the step, if none newer was stored meanwhile, uses the
 * code up.
 */
export const acceptedStep = (
  secret: Uint8Array,
  { code, nowMs, lastStep }: { code: string; nowMs: number; lastStep: number | null },
): number | null => {
  const token = code.replace(/[\s-]/g, "");
  if (!/^[0-9]{6}$/.test(token)) return null;
  const at = { ...shape, secret: asSecret(secret), timestamp: nowMs };
  const delta = TOTP.validate({ ...at, token, window: stepsEitherWay });
  if (delta === null) return null;
  const step = TOTP.counter(at) + delta;
  return lastStep === null || step > lastStep ? step : null;
};

/** What an authenticator app is set up with; it shows the name of the site and the email address of the account. */
export const setupOf = (
  secret: Uint8Array,
  { site, account }: { site: string; account: string },
): TotpSetup => {
  // Apps take what stands before a colon for the issuer.
  const issuer = site.replaceAll(":", " ");
  const totp = new TOTP({ ...shape, secret: asSecret(secret), issuer, label: account });
  const uri = totp.toString();
  return { secret: inGroups(totp.secret.base32), uri, qr: qrOf(uri) };
};

const inGroups = (text: string): string => text.match(/.{1,4}/g)?.join(" ") ?? "";

// The modules alone: a page draws them without styles, and no URL holds the secret.
const qrOf = (text: string): TotpSetup["qr"] => {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: path.join("") };
};
