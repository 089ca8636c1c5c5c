import { compare, satisfies, valid, validRange } from "semver";
import { isRangeShape } from "#contract/plugin-manifest.ts";

/** Whether a text is a range of versions, such as `^1.0.0` or `>=1.2 <3`. */
export const isRange = (range: string): boolean => isRangeShape(range) && validRange(range) !== null;

/** Whether a version lies in a range. Nothing lies in what is no range; pre-releases only where they are named. */
export const isInRange = (version: string, range: string): boolean =>
  isRange(range) && valid(version) !== null && satisfies(version, range);

/** Which of two versions is the newer one: 1 when the first is, 0 when none is. What `+` begins does not count. */
export const compareVersions = (one: string, other: string): -1 | 0 | 1 => compare(one, other);
