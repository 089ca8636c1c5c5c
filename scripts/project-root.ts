import { resolve } from "node:path";

/** The folder that holds package.json, absolute. */
export const projectRoot = resolve(import.meta.dir, "..");
