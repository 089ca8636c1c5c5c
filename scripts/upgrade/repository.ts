import { realpathSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { ScriptFailure } from "../run-script.ts";

/** What git prints, trimmed, or `null` where it fails. */
export const tryGit = (words: readonly string[], cwd = projectRoot): string | null => {
  const { exitCode, stdout } = Bun.spawnSync(["git", ...words], { cwd, stdin: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : null;
};

/** The same; throws a {@link ScriptFailure} with what git says. */
export const git = (words: readonly string[], cwd = projectRoot): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...words], { cwd, stdin: "ignore" });
  if (exitCode !== 0) throw new ScriptFailure(`git ${words[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString().trim();
};

/** Throws unless the project is a clone by git of its own. */
export const requireClone = (): void => {
  const top = tryGit(["rev-parse", "--show-toplevel"]);
  if (top === null || realpathSync(top) !== realpathSync(projectRoot))
    throw new ScriptFailure(
      `${projectRoot} is not a clone: get Atrium with "git clone", so that git can merge new versions`,
    );
};

/** Throws where files are changed or new that no commit has. */
export const requireClean = (purpose: string): void => {
  const changed = git(["status", "--porcelain"]).split("\n").filter(Boolean);
  if (changed.length === 0) return;
  const shown = [
    ...changed.slice(0, 10),
    ...(changed.length > 10 ? [`and ${changed.length - 10} more`] : []),
  ];
  throw new ScriptFailure(
    `Commit or stash your changes first, so that ${purpose}:\n${shown.map((line) => `  ${line}`).join("\n")}`,
  );
};

/**
 * Tells git how to merge the files that `.gitattributes` names; also for a later `git merge` by hand. In the
 * configuration of this clone, since git takes no program to run from a repository.
 */
export const setUpMerges = (): void => {
  const drivers = {
    // Of these files nothing but the product's own text counts, which git has already put in place.
    "atrium-yours": "true",
    "atrium-package": `${[process.execPath, join(projectRoot, "scripts/upgrade/merge-package.ts")].map(quoted).join(" ")} %O %A %B`,
    // The installer adds what own features need to Atrium's.
    "atrium-lock": "cp %B %A",
  };
  for (const [name, driver] of Object.entries(drivers)) git(["config", `merge.${name}.driver`, driver]);
};

/** For the shell, in which git puts file names for words that begin with a percent sign. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;
