import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderForFile } from "#api/testing/for-each-test.ts";
import { shellScripts } from "#cli/commands/completion/completion.ts";
import { projectRoot } from "../../scripts/project-root.ts";

const folder = folderForFile();
for (const [shell, script] of Object.entries(shellScripts)) writeFileSync(join(folder, shell), script);
const program = join(projectRoot, "src/cli/main.ts");
writeFileSync(join(folder, "atrium"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
  mode: 0o700,
});

/** Runs a shell whose person has no files of their own, with `atrium` on the path. */
const shell = async (...argv: string[]) => {
  const child = Bun.spawn(argv, {
    cwd: folder,
    env: {
      HOME: folder,
      TERM: "dumb",
      DATA_DIR: join(folder, "data"),
      PATH: `${folder}:${process.env.PATH}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out, err, code: await child.exited };
};

const isRight = { out: "", err: "", code: 0 };

test("the script for bash is one that bash reads", async () => {
  expect(await shell("bash", "-n", "bash")).toEqual(isRight);
});

describe("zsh", () => {
  test("reads its script", async () => {
    expect(await shell("zsh", "-f", "-n", "zsh")).toEqual(isRight);
  });

  test("completes a word at a tab, as on a terminal", async () => {
    // Completions of other programs are left out: reading them all takes seconds.
    const typing = `
      zmodload zsh/zpty
      zpty -b terminal "PS1='> ' zsh -f -i"
      zpty -w terminal 'fpath=(\${fpath:#*/(Unix|X|Linux|BSD|Darwin|vendor-completions)})'
      zpty -w terminal 'autoload -U compinit; compinit -u -D; source ./zsh; echo rea""dy'
      zpty -r terminal screen '*ready*'
      zpty -w -n terminal $'atrium user list --role a\\t'
      zpty -r terminal screen '*admin*'
      zpty -d terminal
      print -rn -- \${screen##*> }`;
    const { out, err, code } = await shell("zsh", "-f", "-c", typing);
    expect([err, code]).toEqual(["", 0]);
    expect(out).toContain("atrium user list --role admin");
  });
});

describe("fish", () => {
  test("reads its script", async () => {
    expect(await shell("fish", "--no-config", "-n", "fish")).toEqual(isRight);
  });

  test("completes a word, with what it means", async () => {
    const completing = `source ./fish; complete -C "atrium use"`;
    expect(await shell("fish", "--no-config", "-c", completing)).toEqual({
      ...isRight,
      out: "user\taccounts\n",
    });
  });
});
