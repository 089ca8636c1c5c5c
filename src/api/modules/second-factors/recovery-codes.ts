import { randomBytes } from "node:crypto";
import { hashToken } from "#api/core/ids.ts";

// Crockford's base32: no letter that looks like a digit. 16 of 5 bits are 80 bits, too many to guess.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const codes = 10;
const characters = 16;

/** Ten new recovery codes, such as `q436-335n-mzd7-mng8`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: codes }, () =>
    Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length])
      .join("")
      .replace(/(.{4})(?!$)/g, "$1-"),
  );

/** The hash under which a code is stored, however it was typed: case, spaces and hyphens don't matter, nor do `i`, `l` and `o`. */
export const hashRecoveryCode = (typed: string): string =>
  hashToken(
    typed
      .toLowerCase()
      .replace(/[^0-9a-z]/g, "")
      .replace(/[il]/g, "1")
      .replaceAll("o", "0"),
  );
