/** `bun scripts/features/surface.ts` writes docs/api/app-surface.txt: what own features can import, with its types. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";

/** The report and its text. A test compares them. */
export const surfacePath = "docs/api/app-surface.txt";
export const surfaceText = (): string =>
  [
    "Written by scripts/features/surface.ts: what features of a product import as #app, and from when on it stays as it is.",
    "Look at each change of it: one that isn't an addition breaks features when a new version is merged.",
    ...Object.entries(packageJson.imports)
      .filter(([name]) => /^#app(?:\/|$)/.test(name))
      .flatMap(([name, path]) => ["", `# ${name}`, "", ...exportsOf(path).flatMap(declarationsOf)]),
    "",
  ].join("\n");

type Export = { name: string; original: string; from: string };

/** What a module of the surface passes on: it has nothing of its own. */
const exportsOf = (path: string): Export[] =>
  [
    ...readFileSync(join(projectRoot, path), "utf8").matchAll(
      /^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm,
    ),
  ]
    .flatMap(([, names = "", from = ""]) =>
      names.split(",").flatMap((word) => {
        const [original = "", name = original] = word
          .trim()
          .replace(/^type /, "")
          .split(" as ");
        return original === "" ? [] : [{ name, original, from: sourceOf(path, from) }];
      }),
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

const sourceOf = (importer: string, module: string): string => {
  if (module.startsWith("./")) return join(importer, "..", module);
  const [alias = "", rest = ""] = module.split(/\/(.*)/s);
  const folders: Readonly<Record<string, string>> = packageJson.imports;
  return (folders[`${alias}/*`] ?? module).replace("*", rest);
};

/** A declaration with those of the types that it names and its file declares. */
const declarationsOf = ({ name, original, from }: Export): string[] => {
  const text = readFileSync(join(projectRoot, from), "utf8");
  const passedOn = new RegExp(`^export (?:type )?\\{[^}]*\\b${original}\\b[^}]*\\} from "([^"]+)";$`, "m");
  const [, source] = passedOn.exec(text) ?? [];
  if (source !== undefined) return declarationsOf({ name, original, from: sourceOf(from, source) });
  const found = declarationOf(text, original, "(?:const|type|class|function|async function\\*?)");
  if (found === null) throw new Error(`${from} declares no ${original}`);
  const seen = new Map([[original, found.replace(original, name)]]);
  // Grows while it is walked.
  for (const [known, declared] of seen)
    for (const word of declared.match(/\b[A-Z]\w+/g) ?? []) {
      const type = word === known || seen.has(word) ? null : declarationOf(text, word, "type");
      if (type !== null) seen.set(word, `  ${type}`);
    }
  return [...seen.values()];
};

const declarationOf = (text: string, name: string, kinds: string): string | null => {
  const start = new RegExp(`^(?:export )?${kinds} ${name}\\b`, "m").exec(text);
  if (start === null) return null;
  return text
    .slice(start.index, endOf(text, start.index, start[0]))
    .replace(/^export /, "")
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "")
    .replace(/"[^"\n]*"/g, (quoted) => (quoted.includes(" ") ? '"…"' : quoted))
    .replace(/\s+/g, " ")
    .trim();
};

/** Where a declaration ends: a type at its semicolon, a function before its body, any other constant behind its value. */
const endOf = (text: string, start: number, head: string): number => {
  const isType = /(?:^| )type /.test(head);
  let depth = 0;
  let hasList = /class/.test(head);
  for (let at = start + head.length; at < text.length; at += 1) {
    const [one = "", two] = [text[at], text.slice(at, at + 2)];
    if (depth === 0 && (one === ";" || (two === "=>" && !isType))) return at;
    if (depth === 0 && one === "{" && hasList && /class|function/.test(head)) return at;
    if ("([{".includes(one)) depth += 1;
    if (")]}".includes(one)) depth -= 1;
    hasList ||= one === ")" && depth === 0;
  }
  throw new Error(`${head} has no end`);
};

if (import.meta.main) await Bun.write(join(projectRoot, surfacePath), surfaceText());
