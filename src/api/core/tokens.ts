import { randomBytes } from "node:crypto";

/** A random secret of `bytes` bytes as base64url, for cookies and mailed links. */
export const newToken = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** SHA-256 of a token as 64 hexadecimal digits: the only form in which tokens are stored. */
export const hashToken = (token: string): string => Bun.SHA256.hash(token, "hex");
