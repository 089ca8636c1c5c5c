import type { AnyFeature } from "#app";

/** The features of your product, such as `[notes]`. No version of Atrium changes this file. */
export const own = [] as const satisfies readonly AnyFeature[];
