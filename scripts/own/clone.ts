import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

/** A copy of the project with the packages and what was built of this one, and without features of its own. */
export type Clone = {
  path: string;
  /** Runs a program in it; rejects with all that it printed when it fails. */
  run(...words: [string, ...string[]]): Promise<string>;
  remove(): void;
};

/** Makes one of the files that git knows or would take. */
export const makeClone = async (): Promise<Clone> => {
  const path = mkdtempSync(join(tmpdir(), "atrium-clone-"));
  await copyProject(path);
  for (const name of ["node_modules", "dist"]) symlinkSync(join(projectRoot, name), join(path, name));
  return { path, run: (...words) => runIn(path, ...words), remove: () => rmSync(path, { recursive: true }) };
};

/** Copies the files that git knows or would take to a folder. */
export const copyProject = async (path: string): Promise<void> => {
  const listed = await Bun.$`git ls-files -z --cached --others --exclude-standard`.cwd(projectRoot).text();
  for (const file of listed.split("\0"))
    if (file !== "" && (await Bun.file(join(projectRoot, file)).exists()))
      cpSync(join(projectRoot, file), join(path, file));
};

/** What a chapter shows in fences: its commands, line by line, and its files and changes of files. */
export const fencesOf = async (chapter: string) => {
  const text = await Bun.file(join(projectRoot, chapter)).text();
  const fences = [...text.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?\n)```$/gm)].map(
    ([, kind = "", path = "", code = ""]) => ({ kind, path, code }),
  );
  return {
    fences,
    commands: fences.flatMap(({ kind, code }) => (kind === "sh" ? code.trim().split("\n") : [])),
  };
};

/** Runs a program in a folder; rejects with all that it printed when it fails. */
export const runIn = async (path: string, ...words: [string, ...string[]]): Promise<string> => {
  // Less than a test has: a server that should have ended does not outlive it.
  const child = Bun.spawn(words, { cwd: path, stdout: "pipe", stderr: "pipe", timeout: 540_000 });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return out + err;
  throw new Error(`${words.join(" ")} failed:\n${out}${err}`);
};
