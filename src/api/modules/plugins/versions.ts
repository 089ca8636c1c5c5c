import semver from "semver";

/** Whether a version is within a range such as `^1.2.0`; a version before its release is within those of the release. */
export const isInRange = (version: string, range: string): boolean =>
  semver.satisfies(version, range, { includePrerelease: true });

/** Whether `version` comes behind `other`. */
export const isNewer = (version: string, other: string): boolean => semver.gt(version, other);

/** Whether a text is a range of versions. */
export const isRange = (range: string): boolean => semver.validRange(range) !== null;
