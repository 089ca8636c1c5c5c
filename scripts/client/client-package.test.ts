import { afterAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { serveHost } from "#api/testing/served-host.ts";
import { type DocBlock, docBlocks } from "../../tests/driver/doc-blocks.ts";
import { buildClient } from "../build-client.ts";
import { projectRoot } from "../project-root.ts";

const examples = docBlocks("docs/api/client.md", "ts");

/** The publisher's, which the server trusts: tokens can't consent to what nobody signed. */
const key = generateKey();

await mkdir(join(projectRoot, "dist"), { recursive: true });
// Below the project, where the compiler finds the types of the programs' surroundings.
const folder = await mkdtemp(join(projectRoot, "dist/.client-test-"));
const client = join(folder, "node_modules/@atrium/client");
await mkdir(join(folder, "node_modules/@atrium"), { recursive: true });
await buildClient(client);
const host = await hostForFile();
const admin = await host.signedIn("admin");
const served = serveHost(host, { atr_test: admin });
const body = { publicKey: key.publicKey, label: "Tests" };
expect((await admin.call("POST", "/api/admin/plugin-keys", body)).status).toBe(201);
afterAll(async () => {
  await served.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Each has one mistake, which stands in its third line. */
const wrong = [
  `a.plugin.list();`,
  `a.plugins.enable("x");`,
  `a.plugins.toggle("x", { enable: true });`,
  `a.plugins.toggle("x", { enabled: "yes" });`,
  `a.plugins.toggle("x");`,
  `a.plugins.get();`,
  `a.users.setRole("x", { role: "owner" });`,
  `a.activity.list({ limit: "ten" });`,
  `a.activity.list({ severities: "high" });`,
  `a.activity.export({ format: "xlsx" });`,
  `a.plugins.list().then((all) => all[0]?.colour);`,
  `a.users.list({}, { idempotencyKey: "key" });`,
  `for await (const { event } of a.activity.watch()) if (event === "row") break;`,
];

/** What the compiler says of the examples and of the wrong programs, in one run, for its start is what takes long. */
const compile = async (): Promise<string> => {
  const head = `import { createClient } from "@atrium/client";\nconst a = createClient({ url: "x" });\n`;
  const programs = [
    ...examples.map(({ code }, index) => ({ name: `example-${index}.ts`, code })),
    ...wrong.map((line, index) => ({ name: `wrong-${index}.ts`, code: `${head}${line}\n` })),
  ];
  for (const { name, code } of programs) await Bun.write(join(folder, name), code);
  const compiler = join(projectRoot, "node_modules/.bin/tsc");
  const strict = ["--strict", "--noEmit", "--ignoreConfig", "--exactOptionalPropertyTypes", "--skipLibCheck"];
  const { stdout } = Bun.spawnSync(
    [
      ...[process.execPath, compiler, ...strict, "--target", "es2023", "--module", "preserve"],
      ...["--types", "bun-types", ...programs.map(({ name }) => name)],
    ],
    { cwd: folder },
  );
  return stdout.toString();
};

describe("the built package", () => {
  test("needs nothing, and holds modules and types alone", async () => {
    const { dependencies, peerDependencies, exports } = await Bun.file(join(client, "package.json")).json();
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const files = await readdir(client);
    expect(files).toContain(exports["."].types.slice(2));
    for (const name of files.filter((file) => file.endsWith("s"))) {
      const text = await Bun.file(join(client, name)).text();
      const imported = [...text.matchAll(/from "([^"]+)"/g)].flatMap(([, path = ""]) => path);
      expect(imported.filter((path) => !(path.startsWith("./") && path.endsWith(".js")))).toEqual([]);
    }
  });

  test("lets every example of its documentation compile, and no program with a mistake", async () => {
    expect(examples.length).toBeGreaterThan(5);
    const complaints = await compile();
    expect(complaints.match(/^example-.*$/gm)).toBeNull();
    // A wrong name, field, kind of value, or a missing part.
    const unseen = wrong.filter((_, index) => !complaints.includes(`wrong-${index}.ts(3,`));
    expect(unseen).toEqual([]);
  });

  test("tells editors what each function does and which call it makes", async () => {
    const types = await Bun.file(join(client, "client-types.d.ts")).text();
    const end = types.indexOf("    toggle(name: string, body: PluginsToggleBody");
    const about = types.slice(types.lastIndexOf("/**", end), end);
    for (const told of [
      "* Enable or disable a plugin\n",
      "* `POST /api/plugins/{name}/toggle`\n",
      "* @param name ",
    ])
      expect(about).toContain(told);
    expect(types).not.toMatch(/\bany\b[;,)>\]]/);
  });
});

/** Starts an example against the served host with a program; what it printed. */
const run = async ({ code }: DocBlock, program: string, until?: (printed: string) => boolean) => {
  const source = code.replaceAll("https://atrium.example", served.url);
  const path = join(folder, `run-${Bun.hash(code + program)}.mjs`);
  await Bun.write(path, new Bun.Transpiler({ loader: "ts" }).transformSync(source));
  const child = Bun.spawn([program, path], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ATRIUM_TOKEN: "atr_test" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = new Response(child.stderr).text();
  let printed = "";
  for await (const piece of child.stdout) {
    printed += new TextDecoder().decode(piece);
    if (until?.(printed)) child.kill();
  }
  return { printed, errors: await errors, exitCode: await child.exited };
};

const example = (heading: string): DocBlock => {
  const found = examples.find((block) => block.heading === heading);
  if (found === undefined) throw new Error(`no example below "${heading}"`);
  return found;
};

describe.each([
  ["Node", "node"],
  ["Bun", process.execPath],
])("the examples, run by %s,", (runner, program) => {
  test("list plugins", async () => {
    await admin.call("POST", "/api/plugins/upload", await asForm(await packPlugin({ name: "listed-notes" })));
    const { printed, errors, exitCode } = await run(example("A first program"), program);
    expect([errors, exitCode]).toEqual(["", 0]);
    expect(printed).toContain("listed-notes Other off");
  });

  test("tell what was refused and why", async () => {
    const { errors, exitCode } = await run(example("Errors"), program);
    expect([exitCode, errors]).toEqual([
      0,
      expect.stringMatching(/^VALIDATION_FAILED 422 \S+\nrateLimiting\.maxRequests: .+\n$/),
    ]);
  });

  test("send a message once", async () => {
    const { errors, exitCode } = await run(example("Timeouts, retries, canceling"), program);
    expect([errors, exitCode]).toEqual(["", 0]);
  });

  test("save the log's export, install a plugin from a file and enable it", async () => {
    const name = `notes-by-${runner.toLowerCase()}`;
    await Bun.write(join(folder, "notes.zip"), await packPlugin({ name, privateKey: key.privateKey }));
    const { errors, exitCode } = await run(example("Files"), program);
    expect([errors, exitCode]).toEqual(["", 0]);
    expect(await Bun.file(join(folder, "activity.csv")).text()).toStartWith("id,timestamp,");
    const { data } = await (await admin.call("GET", `/api/plugins/${name}`)).json();
    expect(data.enabled).toBe(true);
  });

  test("watch activities as they happen", async () => {
    const noting = setInterval(note, 50);
    try {
      const { printed } = await run(example("Activities as they happen"), program, (text) =>
        text.endsWith("\n"),
      );
      expect(printed).toContain("Something serious");
    } finally {
      clearInterval(noting);
    }
  });
});

/** Something worth watching for; each time under another name, because the same again is counted into one row. */
const note = () => {
  host.services.activity.note({
    entry: {
      type: "suspicious_activity",
      action: `Something serious ${crypto.randomUUID()}`,
      severity: "critical",
    },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at: host.clock.now(),
  });
  void host.services.activity.settle();
};

const asForm = async (zip: Uint8Array): Promise<FormData> => {
  const form = new FormData();
  form.append("plugin", new Blob([zip.slice()]), "plugin.zip");
  return form;
};
