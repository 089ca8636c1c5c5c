import { createHash, randomBytes } from "node:crypto";

/** A random secret of `bytes` bytes as base64url, for cookies and emailed links. */
export const newToken = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** SHA-256 of a token as 64 hexadecimal digits: the only form in which tokens are stored. */
export const hashToken = (token: string): string => Bun.SHA256.hash(token, "hex");

/** A fresh UUID of version 7 for a row: unique everywhere, and later ids sort after earlier ones. */
export const newId = (): string => Bun.randomUUIDv7();

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a row; the database refuses to compare any other with one. */
export const isId = (text: string): boolean => uuid.test(text);

/** An instant to the second, in UTC, in the form that names of files have: `20261121T143000Z`. */
export const stampOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");

/** SHA-256 in hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
