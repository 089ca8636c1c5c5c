import { ScriptFailure } from "../run-script.ts";
import { git, tryGit } from "./repository.ts";

/** A version of Atrium that is to be merged: `ref` is where git has it, `base` the commit that both sides have. */
export type Target = { tag: string; ref: string; base: string };

/** A file that both sides changed. `changedIn` is your newest commit that touched it, `null` where none is found. */
export type Conflict = {
  path: string;
  what: "changed by both" | "added by both" | "deleted by Atrium" | "moved";
  owner: "Atrium" | "you" | "both";
  changedIn: string | null;
};

/**
 * Finds a tag of Atrium: in `upstream`, whose tags are kept apart from yours, otherwise in this clone. `null` when it has been
 * merged already. Throws where it can't be merged at all.
 */
export const findTarget = (tag: string): Target | null => {
  if (tryGit(["check-ref-format", `refs/tags/${tag}`]) === null || tag.startsWith("-"))
    throw new ScriptFailure(`"${tag}" can't be a tag; use one such as v1.2.0`, 2);
  const ref = tryGit(["remote", "get-url", "upstream"]) === null ? localTag(tag) : upstreamTag(tag);
  const base = tryGit(["merge-base", "HEAD", ref]);
  if (base === null)
    throw new ScriptFailure(
      `${tag} and this clone have no commit in common, so git can't merge them: the history of Atrium is missing here. Start from a clone of Atrium, and put your files into it`,
    );
  return tryGit(["merge-base", "--is-ancestor", ref, "HEAD"]) === null ? { tag, ref, base } : null;
};

const localTag = (tag: string): string => {
  const ref = `refs/tags/${tag}`;
  if (tryGit(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]) !== null) return ref;
  throw new ScriptFailure(
    `There is no tag ${tag} here, and no remote to get it from. Add it with: git remote add upstream <address of Atrium's repository>`,
  );
};

const upstreamTag = (tag: string): string => {
  const ref = `refs/upstream/tags/${tag}`;
  try {
    git(["fetch", "--quiet", "--no-tags", "upstream", `+refs/tags/${tag}:${ref}`]);
  } catch (error) {
    // Without a network one that was fetched before is enough.
    if (tryGit(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]) === null) throw error;
  }
  return ref;
};

/**
 * Merges in a work tree, without a commit; files that you have deleted stay deleted. Returns what has to be resolved by hand, and
 * what is known of it besides.
 */
export const merge = ({ ref, base }: Target, tree: string): { conflicts: Conflict[]; details: string } => {
  const { exitCode, stderr } = Bun.spawnSync(["git", "merge", "--no-commit", "--no-ff", ref], {
    cwd: tree,
    stdin: "ignore",
  });
  if (exitCode === 0) return { conflicts: [], details: "" };
  const stages = new Map<string, string>();
  for (const line of git(["ls-files", "--unmerged", "-z"], tree).split("\0").filter(Boolean)) {
    const [, stage = "", path = ""] = /^\S+ \S+ (\d)\t(.*)$/s.exec(line) ?? [];
    stages.set(path, `${stages.get(path) ?? ""}${stage}`);
  }
  if (stages.size === 0) throw new ScriptFailure(`git merge failed: ${stderr.toString().trim()}`);
  const deletedHere = [...stages].filter(([, has]) => has === "13").map(([path]) => path);
  if (deletedHere.length > 0) git(["rm", "--quiet", "--force", "--", ...deletedHere], tree);
  const conflicts = [...stages]
    .filter(([, has]) => has !== "13")
    .map(([path, has]) => ({
      path,
      what: kinds[has] ?? "moved",
      owner: ownerOf(path, has !== "23"),
      changedIn: tryGit(["log", "-1", "--format=%h %s", `${base}..HEAD`, "--", path]) || null,
    }));
  const details = stderr.toString().match(/^package\.json: .*/m)?.[0] ?? "";
  return { conflicts, details };
};

/** By the sides that have the file: 1 both before, 2 you, 3 Atrium. */
const kinds: Record<string, Conflict["what"]> = {
  "123": "changed by both",
  "12": "deleted by Atrium",
  "23": "added by both",
};

/** Files that Atrium ships, and that are yours from the beginning. */
const yours = /^(README\.md|LICENSE|src\/plugins\/own[\w-]*\.ts|drizzle\/own\/.*)$/;

const ownerOf = (path: string, isAtriums: boolean): Conflict["owner"] => {
  if (yours.test(path)) return "you";
  return isAtriums && path !== "package.json" ? "Atrium" : "both";
};

/** The files of Atrium that you have changed or deleted: those that may conflict one day. */
export const changedFilesOfAtrium = ({ base }: Target): string[] =>
  git(["diff", "--name-only", "--diff-filter=MDRT", "-z", base, "HEAD"])
    .split("\0")
    .filter((path) => path !== "" && !yours.test(path) && !["package.json", "bun.lock"].includes(path));
