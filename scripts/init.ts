/** `bun run atrium init my-product`: makes a clone of Atrium the beginning of a product of its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { isHyphenated } from "./features/names.ts";
import { projectRoot } from "./project-root.ts";
import { runScript, ScriptFailure } from "./run-script.ts";
import { git, requireClean, requireClone, setUpMerges, tryGit } from "./upgrade/repository.ts";

const usage = `Usage: bun run atrium init NAME [option…]
  --title TEXT            the name with spaces and capitals; otherwise made from NAME
  --owner TEXT            who has the copyright; otherwise the user.name of git
  --license LICENSE       MIT (the default) or UNLICENSED: all rights reserved
  --upstream URL          where new versions of Atrium come from, unless it is where this clone comes from
  --yes                   ask nothing
  --plan                  show what would be done, without changing anything
  --json                  print the result as JSON`;

const licenses = ["MIT", "UNLICENSED"] as const;
type License = (typeof licenses)[number];

type Product = { name: string; title: string; owner: string; license: License; upstream: Upstream };

/** Where new versions come from: the remote that exists, one to be renamed or added, or none yet. */
type Upstream =
  | { kind: "exists" | "none" }
  | { kind: "renamed"; from: "origin"; url: string }
  | { kind: "added"; url: string };

const init = (): void => {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      ...{ title: { type: "string" }, owner: { type: "string" }, license: { type: "string" } },
      ...{ upstream: { type: "string" }, yes: { type: "boolean" }, plan: { type: "boolean" } },
      json: { type: "boolean" },
    },
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new ScriptFailure(usage, 2);
  refuse(nameComplaint(name));
  requireClone();
  if (packageJson.name !== "atrium")
    throw new ScriptFailure(
      `This clone is ${packageJson.name} already. Change package.json, README.md and LICENSE by hand`,
    );
  requireClean("what init changes can be told apart and undone");

  const asks = !values.yes && !values.plan;
  if (asks && !process.stdin.isTTY) throw new ScriptFailure("There is no terminal to ask on; add --yes", 2);
  const ask = (question: string, given: string | undefined, fallback: string): string =>
    given ?? (asks ? (prompt(`${question} [${fallback}]`)?.trim() ?? "") || fallback : fallback);

  const title = ask("Title", values.title, titleOf(name));
  refuse(lineComplaint("title", title, 40));
  const owner = ask(
    "Who has the copyright?",
    values.owner,
    tryGit(["config", "user.name"]) ?? `The ${title} authors`,
  );
  refuse(lineComplaint("owner", owner, 100));
  const license = readLicense(ask(`License, ${licenses.join(" or ")}`, values.license, "MIT"));
  const product = { name, title, owner, license, upstream: findUpstream(values.upstream, asks) };

  const steps = stepsOf(product);
  if (!values.plan) {
    if (asks && !confirm(`${steps.map((step) => `  ${step}`).join("\n")}\nDo this?`))
      throw new ScriptFailure("canceled; nothing was changed");
    change(product);
  }
  if (values.json) console.log(JSON.stringify({ ...product, isPlan: values.plan ?? false, steps }, null, 2));
  else if (values.plan)
    console.log(steps.map((step) => `Would ${step[0]?.toLowerCase()}${step.slice(1)}`).join("\n"));
  else console.log(`${steps.join("\n")}\n\n${whatNext(product)}`);
};

const refuse = (complaint: string | null): void => {
  if (complaint !== null) throw new ScriptFailure(complaint, 2);
};

const nameComplaint = (name: string): string | null => {
  if (!isHyphenated(name) || name.length > 50)
    return `"${name}" can't be the name: use at most 50 lowercase letters, digits and single hyphens, such as my-product`;
  return name === "atrium" ? "Choose another name than Atrium's own" : null;
};

const lineComplaint = (what: string, text: string, most: number): string | null =>
  text.trim() === "" || text.length > most || /\p{C}/u.test(text)
    ? `Use one line of at most ${most} characters for the ${what}`
    : null;

const readLicense = (word: string): License => {
  const found = licenses.find((license) => license === word.toUpperCase());
  if (found === undefined)
    throw new ScriptFailure(
      `Choose ${licenses.join(" or ")}; for another license change LICENSE and package.json afterwards`,
      2,
    );
  return found;
};

/** `my-product` as `My Product`. */
const titleOf = (name: string): string =>
  name
    .split("-")
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join(" ")
    .slice(0, 40);

/** `origin` is taken for Atrium's when it is called so and nobody says otherwise: a fork's address ends the same way. */
const findUpstream = (url: string | undefined, asks: boolean): Upstream => {
  if (tryGit(["remote", "get-url", "upstream"]) !== null) {
    if (url !== undefined)
      throw new ScriptFailure('There is a remote "upstream" already; leave out --upstream', 2);
    return { kind: "exists" };
  }
  if (url !== undefined) return { kind: "added", url };
  const origin = tryGit(["remote", "get-url", "origin"]);
  if (origin === null || basename(origin, ".git") !== "atrium") return { kind: "none" };
  const isAtriums = !asks || confirm(`Is ${origin} the repository of Atrium, and not your fork of it?`);
  return isAtriums ? { kind: "renamed", from: "origin", url: origin } : { kind: "none" };
};

const stepsOf = ({ name, title, owner, license, upstream }: Product): string[] => [
  `Name the package ${name} in package.json`,
  `Call the site ${title} in src/plugins/own-site.ts`,
  `Write README.md for ${title}`,
  license === "MIT"
    ? `Add ${owner} to the MIT license in LICENSE`
    : `Reserve all rights for ${owner} in LICENSE, above the license of Atrium`,
  ...(upstream.kind === "renamed" ? [`Rename the remote origin, ${upstream.url}, to upstream`] : []),
  ...(upstream.kind === "added" ? [`Add the remote upstream, ${upstream.url}`] : []),
  "Set up git to keep these files yours when you take a new version",
];

const change = (product: Product): void => {
  const { name, title, license, upstream } = product;
  edit("package.json", (text) =>
    [
      ["name", name],
      ["description", `${title}, built on Atrium`],
      ["license", license],
    ].reduce(
      (next, [field, value]) =>
        next.replace(
          new RegExp(`^(  "${field}": ).*,$`, "m"),
          (_, start) => `${start}${JSON.stringify(value)},`,
        ),
      text,
    ),
  );
  edit("bun.lock", (text) => text.replace(/^( {6}"name": )"atrium",$/m, (_, start) => `${start}"${name}",`));
  edit("src/plugins/own-site.ts", (text) =>
    text.replace(/= \{\};$/m, () => `= { name: ${JSON.stringify(title)} };`),
  );
  edit("LICENSE", (text) => licenseOf(product, text));
  edit("README.md", () => readmeOf(product));
  if (upstream.kind === "renamed") git(["remote", "rename", upstream.from, "upstream"]);
  if (upstream.kind === "added") git(["remote", "add", "--", "upstream", upstream.url]);
  setUpMerges();
};

const edit = (file: string, next: (text: string) => string): void => {
  const path = join(projectRoot, file);
  writeFileSync(path, next(readFileSync(path, "utf8")));
};

/** Atrium's notice stays, as its license asks. */
const licenseOf = ({ title, owner, license }: Product, text: string): string => {
  const notice = `Copyright (c) ${new Date().getFullYear()} ${owner}`;
  if (license === "MIT") return text.replace(/^Copyright \(c\)/m, () => `${notice}\nCopyright (c)`);
  return `${notice}. All rights reserved.\n\n${title} contains Atrium, which has this license:\n\n${text}`;
};

const readmeOf = ({ title, license }: Product): string => `# ${title}

Built on Atrium.

## Run it

\`\`\`sh
npx -y ${packageJson.packageManager} start
\`\`\`

The first start prints a link that makes you the first admin at \`http://localhost:3000\`. All data is in \`data/\`.

## Test it

\`\`\`sh
npx -y ${packageJson.packageManager} run test own
\`\`\`

## Change it

[Make it yours](docs/make-it-yours.md): features, name and look, deploying, and the next version of Atrium.

${license === "MIT" ? "MIT license." : "All rights reserved; see [LICENSE](LICENSE)."}
`;

const whatNext = ({ name, upstream: { kind } }: Product): string =>
  [
    `Next, look at what changed with "git diff", and commit it:\n  git commit -am "Begin ${name}"`,
    kind === "none" &&
      "Say where new versions of Atrium come from:\n  git remote add upstream <address of Atrium's repository>",
    kind === "renamed" && `Say where ${name} is kept:\n  git remote add origin <address of your repository>`,
    'Then run "bun start", and read docs/make-it-yours.md.',
    `To undo this instead: git restore .${undoRemote[kind]}`,
  ]
    .filter((line) => line !== false)
    .join("\n");

const undoRemote: Record<Upstream["kind"], string> = {
  ...{ exists: "", none: "" },
  ...{ renamed: " && git remote rename upstream origin", added: " && git remote remove upstream" },
};

await runScript(usage, init);
