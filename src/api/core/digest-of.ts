import { createHash } from "node:crypto";

/** SHA-256 in hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
