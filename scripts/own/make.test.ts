import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Clone, fencesOf, makeClone } from "./clone.ts";

setDefaultTimeout(600_000);

let clone: Clone;
const make = (...words: string[]) => clone.run("bun", "scripts/features/make.ts", ...words);

/** Does what the chapter says: its commands that make something, and its files. */
const followChapter = async (): Promise<void> => {
  const { fences } = await fencesOf("docs/your-first-feature.md");
  for (const { path, code } of fences)
    if (path !== "") await Bun.write(join(clone.path, path), code);
    else
      for (const [, words = ""] of code.matchAll(/^bun run atrium make (.*)$/gm))
        await make(...words.split(" "));
};

const kinds = [
  ...[
    "label:text!",
    "nickname:text",
    "story:long!",
    "notes:long",
    "size:number!",
    "weight:number",
    "born:date!",
  ],
  ...["left:date", "isOpen:boolean", "level:choice:first|second-best!", "mood:choice:good,bad"],
  ...["email:email!", "backupEmail:email", "site:url!", "photo:url"],
];

beforeAll(async () => {
  clone = await makeClone();
  await followChapter();
  // Names of the house are for features with packages of their own, too.
  await Bun.write(join(clone.path, "src/plugins/ideas/package.json"), `{\n  "name": "@own/ideas"\n}\n`);
  await make("feature", "sales-teams", ...kinds);
  await make("table", "sales-teams", "regions", "name:text!", "area:number");
  await make("page", "sales-teams", "old-ones", "--for", "admins");
  await make("operation", "sales-teams", "summary");
  await make("job", "sales-teams", "clean-up");
  await make("mail", "sales-teams", "welcome");
});
afterAll(() => clone.remove());

test.each([
  ["formatted", ["node_modules/.bin/biome", "check", "src/plugins", "drizzle"], "No fixes"],
  ["typed", ["node_modules/.bin/tsc", "--noEmit", "-p", "."], ""],
  ["tested", ["test", "--timeout", "60000", "src/plugins/ideas", "src/plugins/sales-teams"], " 0 fail"],
  ["within the rules", ["test", "--only-failures", "tests/repository/import-rules.test.ts"], " 0 fail"],
  ["without leftovers", ["node_modules/.bin/knip", "--no-progress", "--include", "files,exports,types"], ""],
  [
    "refused to those who may not call it",
    ["test", "--only-failures", "--timeout", "60000", "src/api/http/access.test.ts", "-t", "sales-teams"],
    " 0 fail",
  ],
  ["a command", ["src/cli/main.ts", "ideas", "list", "--help"], "atrium ideas list --search ada"],
])("a feature that was made, with each kind of field and part, is %s", async (_, words, said) => {
  expect(await clone.run("bun", ...words)).toContain(said);
});

test("a page for visitors is in the menu by its feature's name and publishes no filler; a job runs each day", async () => {
  const read = (file: string) => Bun.file(join(clone.path, "src/plugins/ideas", file)).text();
  const [, page = ""] =
    /( {2}\{\n {4}path: "\/ideas\/about",[\s\S]*?\n {2}\})/.exec(await read("pages.ts")) ?? [];
  expect(page).toContain('menu: { label: "Ideas" }');
  expect(page).not.toContain("description");
  expect(await read("server.ts")).toContain("sendNews: { cron:");
});

test.each([
  ["a name that Atrium uses", ["feature", "settings", "a:text!"], "Atrium uses this name itself"],
  ["the name of a shipped plugin", ["feature", "firewall", "a:text!"], "Atrium uses this name itself"],
  ["the name of a table of Atrium", ["feature", "sessions", "a:text!"], "Atrium has a table of this name"],
  [
    "the address of a page of Atrium",
    ["feature", "dashboard", "a:text!"],
    "Atrium has a page at this address",
  ],
  ["the address of files of Atrium", ["feature", "assets", "a:text!"], "this address is taken"],
  ["the name of the list of features", ["feature", "own", "a:text!"], "Atrium uses this name itself"],
  ["the words of another feature", ["feature", "plans", "a:text!", "--one", "idea"], "Nothing was written"],
  ["a name that is there", ["feature", "ideas", "a:text!"], "src/plugins/ideas is there already"],
  ["a name in capitals", ["feature", "Boats", "a:text!"], "lowercase letters"],
  ["a name with hyphens at its end", ["feature", "boats-", "a:text!"], "one hyphen between them"],
  ["a word that its code uses", ["feature", "lists", "a:text!"], 'use the word "list" for two things'],
  ["a word of JavaScript", ["feature", "classes", "a:text!"], 'use the word "class"'],
  ["no fields", ["feature", "boats"], "The first field is what lists show"],
  ["a first field that may be empty", ["feature", "boats", "a:text"], "has to be a text that is required"],
  ["an unknown kind", ["feature", "boats", "a:money"], '"money" is no kind of field. Kinds: text, long'],
  ["a field that each row has", ["feature", "boats", "id:text!"], "Atrium uses this name itself"],
  ["a field twice", ["feature", "boats", "a:text!", "a:date"], 'The field "a" is there twice'],
  ["a choice without options", ["feature", "boats", "a:text!", "b:choice"], "two options or more"],
  ["a part of no feature", ["page", "boats", "about"], "There is no feature in src/plugins/boats"],
  ["a path for a part", ["job", "ideas", "../x"], "can't be a name here"],
  ["a part that is there", ["page", "ideas", "about"], "about-page.tsx is there already"],
  ["an operation that is there", ["operation", "ideas", "list"], 'uses the word "list" already'],
])("refused with the reason, and nothing is written: %s", async (_, words, reason) => {
  // In this process, which reads the features that were made when it loads this.
  const { make }: typeof import("../features/make.ts") = await import(
    join(clone.path, "scripts/features/make.ts")
  );
  const before = await filesIn();
  expect(() => make(words)).toThrow(reason);
  expect(await filesIn()).toEqual(before);
});

const filesIn = async () => {
  const files = new Bun.Glob("{src/plugins,drizzle}/**").scan({ cwd: clone.path });
  return Array.fromAsync(files, async (file) => [file, await Bun.file(join(clone.path, file)).text()]);
};
