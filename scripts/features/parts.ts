import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { columnKinds, columns, labelOf, readFields, snakeOf } from "./fields.ts";
import { fail, writeDerived, writeFormatted } from "./lists.ts";
import { camelOf, isHyphenated, isReserved } from "./names.ts";

/** What is written: new files, by their names in the feature's folder, and lines behind the first place of another that is there. */
type Part = {
  files: Readonly<Record<string, string>>;
  lines: readonly {
    file: string;
    places: readonly (readonly [behind: RegExp, text: string])[];
    imports?: readonly [from: string, names: readonly string[]];
  }[];
  /** What is written anew from it. */
  derives?: "calls" | "migration";
  said: string;
};

type Asked = { feature: string; name: string; words: readonly string[] };

/** Adds a part to a feature; `false` for words that ask for none. Throws a `ScriptFailure` with what is wrong. */
export const makePart = (what: string, [feature = "", name = "", ...words]: readonly string[]): boolean => {
  if (!isPart(what) || feature === "" || name === "") return false;
  const folder = `src/plugins/${feature}`;
  if (!isHyphenated(feature) || !existsSync(join(projectRoot, folder, "feature.ts")))
    fail(`There is no feature in ${folder}. Make one with "bun run atrium make feature".`);
  if (!isHyphenated(name) || name.length > 40)
    fail(
      `"${name}" can't be a name here: write words of lowercase letters and digits with one hyphen between them.`,
    );
  if (isReserved(camelOf(name))) fail(`"${name}" can't be a name here: JavaScript uses this word itself.`);
  const { files, lines, derives, said } = parts[what]({ feature, name, words });
  const texts: Record<string, string> = {};
  for (const [file, text] of Object.entries(files)) {
    if (existsSync(join(projectRoot, folder, file)))
      fail(`${folder}/${file} is there already. Nothing was written.`);
    texts[`${folder}/${file}`] = text;
  }
  for (const { file, places, imports } of lines) {
    const path = `${folder}/${file}`;
    if (!existsSync(join(projectRoot, path))) fail(`${path} is missing. Nothing was written.`);
    const before = readFileSync(join(projectRoot, path), "utf8");
    const isTaken = file === "contract.ts" ? `^ {2}${camelOf(name)}: ` : `\\b${camelOf(name)}\\b`;
    if (new RegExp(isTaken, "m").test(before))
      fail(`${path} uses the word "${camelOf(name)}" already. Nothing was written.`);
    const [behind, text] = places.find(([place]) => place.test(before)) ?? fail(noPlace(path, places));
    const after = before.replace(behind, (place) => place + text);
    texts[path] = imports === undefined ? after : withImport(after, imports);
  }
  writeFormatted(texts);
  if (derives !== undefined)
    writeDerived(derives === "migration" ? `${feature}_${name}`.replaceAll("-", "_") : null);
  console.log(`${said}
Written: ${Object.keys(texts).join(", ")}${derives === "migration" ? " and a migration in drizzle/own" : ""}.
Nothing is committed: "git status" and "git diff" show what was written.`);
  return true;
};

const noPlace = (path: string, places: readonly (readonly [RegExp, string])[]): string =>
  `${path} has no place that looks like ${places.map(([place]) => place).join(" or ")}. Nothing was written. Add by hand:\n${places.at(-1)?.[1]}`;

/** A file that imports these names from a module, too; the formatter sorts them in. */
const withImport = (text: string, [from, names]: readonly [string, readonly string[]]): string => {
  const there = new RegExp(`import \\{([^}]*)\\} from "${from}";\n`).exec(text);
  const known = there?.[1]?.split(",").map((name) => name.trim()) ?? [];
  const all = [...new Set([...known, ...names])].filter((name) => name !== "");
  return `import { ${all.join(", ")} } from "${from}";\n${text.replace(there?.[0] ?? "", "")}`;
};

const parts = {
  table: ({ feature, name, words }): Part => {
    const fields = readFields(words);
    if (fields.length === 0) fail("A table needs a field or more, such as title:text!");
    return {
      files: {},
      lines: [
        {
          file: "schema.ts",
          imports: ["drizzle-orm/pg-core", [...columnKinds(fields), "uuid"]],
          places: [
            [
              /[\s\S]$/,
              `
/** ${labelOf(name)}. */
export const ${camelOf(name)} = appSchema.table("${snakeOf(feature)}_${snakeOf(name)}", {
    id: uuid("id").primaryKey(),
${columns(fields)}    createdAt: instant("created_at").notNull(),
});
`,
            ],
          ],
        },
      ],
      derives: "migration",
      said: `Made the table "${camelOf(name)}", which the next start creates.`,
    };
  },
  page: ({ feature, name, words: [option, audience = "visitors", ...rest] }): Part => {
    const access = { visitors: "public", members: "user", admins: "admin" }[audience];
    if ((option ?? "--for") !== "--for" || access === undefined || rest.length > 0)
      fail("A page is --for visitors, --for members or --for admins.");
    const path = `${access === "admin" ? "/admin" : ""}/${feature}/${name}`;
    const component = `${pascalOf(name)}Page`;
    const frame =
      access === "admin"
        ? "grid gap-6"
        : "mx-auto grid w-full max-w-[44rem] gap-6 px-4 py-10 sm:px-6 sm:py-14";
    return {
      files: {
        [`${name}-page.tsx`]: `import { PageHeader } from "#app/ui";

/** ${labelOf(name)}, for ${audience}. */
export const ${component} = () => (
  <div className="${frame}">
    <PageHeader title="${labelOf(name)}" />
  </div>
);
`,
      },
      lines: [
        {
          file: "pages.ts",
          places: [
            [
              /definePages\("[^"]*", \[\n/,
              `  {
    path: "${path}",
    title: "${labelOf(name)}",
    access: "${access}",
    source: "${name}-page.tsx",
    load: async () => (await import("./${name}-page.tsx")).${component},
    menu: { label: "${labelOf(access === "public" ? feature : name)}" },
  },
`,
            ],
          ],
        },
      ],
      said: `Made a page for ${audience} at ${path}, with an item in their menu.`,
    };
  },
  operation: ({ feature, name }): Part => ({
    files: {
      [`${name}.ts`]: `import { type Context, requireUser } from "#app";

/** What GET /api/${feature}/${name} answers. */
export const ${camelOf(name)} = async (ctx: Context) => ({ name: requireUser(ctx).name });
`,
    },
    lines: [
      {
        file: "contract.ts",
        places: [
          [
            /export const \w+Contract = \{\n/,
            `  ${camelOf(name)}: operation("GET /api/${feature}/${name}", {
    access: "user",
    responds: "data",
    schemas: (kit) => ({ answer: kit.object({ name: kit.text() }) }),
    summary: "${labelOf(name)}",
    description: "Responds with the name of the signed-in user.",
  }),
`,
          ],
        ],
      },
      {
        file: "server.ts",
        imports: [`./${name}.ts`, [camelOf(name)]],
        places: [[/ {2}operations: \{\n/, `    ${camelOf(name)},\n`]],
      },
    ],
    derives: "calls",
    said: `Made the operation GET /api/${feature}/${name} for members.`,
  }),
  job: ({ name }): Part => {
    const line = `    ${camelOf(name)}: { cron: "0 7 * * *", run: ${camelOf(name)} },\n`;
    return {
      files: {
        [`${name}.ts`]: `import type { Context } from "#app";

/** Runs each day at 7:00 UTC, on one server at a time, as the operator. */
export const ${camelOf(name)} = async (ctx: Context): Promise<void> => {
  ctx.log.info("${name} has run");
};
`,
      },
      lines: [
        {
          file: "server.ts",
          imports: [`./${name}.ts`, [camelOf(name)]],
          places: [
            [/ {2}jobs: \{\n/, line],
            [/defineServer\(\w+, \{\n/, `  jobs: {\n${line}  },\n`],
          ],
        },
      ],
      said: `Made a job that runs each day at 7:00 UTC.`,
    };
  },
  mail: ({ feature, name }): Part => {
    const render = camelOf(`${name}-mail`);
    return {
      files: {
        [`${name}-mail.ts`]: `import type { Context } from "#app";
import { renderMail } from "#app/mail";

/**
 * An email to a member: \`ctx.mail.enqueue(tx, { to: email, ...${render}(ctx, { name }) })\` sends it if the transaction
 * succeeds; call \`ctx.mail.wake()\` behind it.
 */
export const ${render} = ({ appUrl }: Pick<Context, "appUrl">, { name }: { name: string }) =>
  renderMail({
    subject: "${labelOf(name)}",
    preview: "${labelOf(name)}",
    heading: "${labelOf(name)}",
    greeting: \`Hello \${name},\`,
    paragraphs: [],
    button: { label: "Open", link: \`\${appUrl}/${feature}\` },
    notes: [],
    reason: "You receive this email because you have an account.",
  });
`,
        [`${name}-mail.test.ts`]: `import { expect, test } from "bun:test";
import { ${render} } from "./${name}-mail.ts";

test("the email greets its reader and links to the site", () => {
  const { text } = ${render}({ appUrl: "https://b.example" }, { name: "Ada" });
  expect(text).toContain("Hello Ada,");
  expect(text).toContain("https://b.example/");
});
`,
      },
      lines: [],
      said: `Made an email with a test.`,
    };
  },
} as const satisfies Record<string, (asked: Asked) => Part>;

/** The lines of the usage of `make` about parts. */
export const partUsage = `       bun run atrium make ${Object.keys(parts).join("|")} FEATURE NAME [FIELD…]
       (fields are for a table; a page has --for visitors|members|admins)`;

const pascalOf = (name: string): string => camelOf(`-${name}`);
const isPart = (what: string): what is keyof typeof parts => Object.hasOwn(parts, what);
