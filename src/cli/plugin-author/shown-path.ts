import { isAbsolute } from "node:path";

/** A path as it can be typed: one below the current folder begins with a dot, so that it is taken for no name. */
export const shownPath = (path: string): string =>
  isAbsolute(path) || path.startsWith(".") ? path : `./${path}`;
