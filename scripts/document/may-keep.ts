import type { ApiDocument } from "../client/document-types.ts";
import { breakingChanges } from "./breaking-changes.ts";

/** What is known of a version: the changelog's text, and the names of the repository's tags. */
export type ReleaseSigns = { version: string; changelog: string; tags: readonly string[] };

/**
 * What `after` would break if it were kept in the place of `before`, one line each; empty: it may be. A version that was
 * not given out has promised nothing yet, and neither has one of which nothing was kept.
 */
export const objectionsToKeeping = (
  before: ApiDocument | null,
  after: ApiDocument,
  signs: ReleaseSigns,
): string[] => (before === null || !isReleased(signs) ? [] : breakingChanges(before, after));

/** Whether a version was given out: the changelog has a heading for it, or the repository a tag. */
const isReleased = ({ version, changelog, tags }: ReleaseSigns): boolean =>
  new RegExp(`^## \\[${RegExp.escape(version)}\\]`, "m").test(changelog) ||
  tags.some((tag) => tag === version || tag === `v${version}`);
