import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { type DocBlock, docBlocks } from "../driver/doc-blocks.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

let server: ServerProcess;
let folder: string;
/** The publisher's, which the server trusts: tokens can't consent to what no one signed. */
const key = generateKey();

beforeAll(async () => {
  server = await startServer();
  folder = temporaryFolder();
  writeFileSync(
    join(folder, "atrium"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, "src/cli/main.ts")}" "$@"\n`,
    { mode: 0o700 },
  );
  await asOperator("/api/admin/plugin-keys", { publicKey: key.publicKey, label: "Tests" });
});
afterAll(async () => {
  await server.stop();
  for (const each of [folder, server.dataDir]) removeFolder(each);
});

/** Makes a call as the operator; resolves to its data. */
const asOperator = async (path: string, body: object) => {
  const response = await fetch(`http://localhost${path}`, {
    unix: join(server.dataDir, "control.sock"),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()).data;
};

/** A token that the operator made. */
const makeToken = async (...scopes: string[]): Promise<string> =>
  (await asOperator("/api/admin/tokens", { name: `examples ${crypto.randomUUID()}`, scopes })).token;

/** Runs a piece of shell as the documents' readers would, the operator without a token; what it printed and how it ended. */
const shell = async (code: string, token: string | null) => {
  const child = Bun.spawn(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", code], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      DATA_DIR: server.dataDir,
      PLUGIN_KEY: key.privateKey,
      ...(token === null ? {} : { ATRIUM_URL: server.url, ATRIUM_TOKEN: token }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out, err, code: await child.exited };
};

const pluginState = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const { data } = await (await fetch(`${server.url}/api/plugins/visitor-notes`, { headers })).json();
  return { version: data.version, state: data.state };
};

describe("what the operator types", () => {
  const below = (path: string, heading: string, language = "sh"): string[] =>
    docBlocks(path, language).flatMap((block) => (block.heading === heading ? [block.code] : []));
  const [quickToken = "", quickExport = ""] = below("docs/quick-start.md", "From a script");

  test.each([
    ["docs/tokens.md", below("docs/tokens.md", "Create a token")[0], "plugins:read"],
    ["docs/api/curl.md", below("docs/api/curl.md", "The API with curl", "sh operator")[0], "plugins:read"],
    ["docs/api/ci.md", below("docs/api/ci.md", "A plugin from a CI pipeline")[0], "plugins:write"],
  ])("makes a token that can be used: %s", async (_, typed = "", scope) => {
    // Of the tokens that can be used one alone has a name.
    const made = await shell(typed.replace("--name ci", `--name ${crypto.randomUUID()}`), null);
    expect(made.code).toBe(0);
    const shown = await shell("atrium token show --json", made.out.trim());
    expect(JSON.parse(shown.out).scopes).toEqual([scope]);
  });

  test("makes a token and lists plugins with it: docs/quick-start.md", async () => {
    const { out, code } = await shell(quickToken.replace("http://localhost:3000", server.url), null);
    expect(code).toBe(0);
    expect(JSON.parse(out).data.map(({ name }: { name: string }) => name)).toContain("licensing");
  });

  test("saves last week's important activities: docs/quick-start.md, docs/cli.md and the command's help", async () => {
    const [first] = below("docs/cli.md", "`atrium activity export`")[0]?.split("\n") ?? [];
    expect(`${first}\n`).toBe(quickExport);
    expect((await shell("atrium activity export --help", null)).out).toContain(`$ ${quickExport}`);
    await makeToken("plugins:read");
    const { err, code } = await shell(quickExport, null);
    expect([err, code]).toEqual(["", 0]);
    const file = join(folder, "activity.csv");
    expect(readFileSync(file, "utf8")).toContain(",Created an API token,");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(file);
  });
});

// Each version of the plugin takes the place of an older one.
const step = inOrder();

describe("the examples of docs/api/curl.md", () => {
  const [head, ...examples] = docBlocks("docs/api/curl.md", "sh");
  const run = async ({ code }: Pick<DocBlock, "code">) =>
    shell(`${head?.code}\n${code}`, await makeToken("*"));
  const example = (heading: string): DocBlock => {
    const found = examples.find((block) => block.heading === heading);
    if (found === undefined) throw new Error(`no example below "${heading}"`);
    return found;
  };

  test("list plugins", async () => {
    const { out, err, code } = await run(example("List plugins"));
    expect([err, code]).toEqual(["", 0]);
    expect(JSON.parse(out).data.map(({ name }: { name: string }) => name)).toContain("licensing");
  });

  test("save activities", async () => {
    const { err, code } = await run(example("Save last week's important activities"));
    expect([err, code]).toEqual(["", 0]);
    expect(await Bun.file(join(folder, "activity.csv")).text()).toStartWith("id,");
  });

  step("install a plugin and enable it", async () => {
    await Bun.write(join(folder, "visitor-notes.zip"), await packPlugin({ privateKey: key.privateKey }));
    const { err, code } = await run(example("Install a plugin and enable it"));
    expect([err, code]).toEqual(["", 0]);
    expect(await pluginState(await makeToken("plugins:read"))).toEqual({
      version: "1.0.0",
      state: "running",
    });
  });

  test("change a setting", async () => {
    const { out, code } = await run(example("Change a setting"));
    expect([code, JSON.parse(out).data.rateLimiting.maxRequests]).toEqual([0, 500]);
  });

  test("show what is refused, and end with 22", async () => {
    const [refused] = docBlocks("docs/api/curl.md", "sh refused");
    const { out, code } = await run({ code: refused?.code ?? "" });
    expect([code, JSON.parse(out).code]).toEqual([22, "PLUGIN_NOT_FOUND"]);
  });

  test("keep the token out of the process list", () => {
    const texts = [head, ...examples].map((block) => block?.code ?? "");
    expect(
      texts.filter((text) => /curl[^\n]*\$ATRIUM_TOKEN/.test(text.replace(/^.*printf.*$/gm, ""))),
    ).toEqual([]);
  });
});

describe("the pipeline of docs/api/ci.md", () => {
  type Workflow = { jobs: { install: { steps: { name?: string; uses?: string; run?: string }[] } } };
  const workflow = Bun.YAML.parse(docBlocks("docs/api/ci.md", "yaml")[0]?.code ?? "") as Workflow;
  const { steps } = workflow.jobs.install;

  /** What a checkout holds: a commit with the plugin's folder. */
  const commit = async (version: string) => {
    const sources = join(folder, "visitor-notes");
    mkdirSync(join(sources, "backend"), { recursive: true });
    const about = { manifestVersion: 1, name: "visitor-notes", version, title: "Visitor notes" };
    const more = { description: "Notes about visitors", type: "Other" };
    const backend = { entry: "backend/index.js", runtime: "sandbox" };
    await Bun.write(join(sources, "plugin.json"), JSON.stringify({ ...about, ...more, backend }));
    await Bun.write(
      join(sources, "backend/index.js"),
      `export default { name: "visitor-notes", version: "${version}", setup() {} };`,
    );
    const who = "-c user.name=Test -c user.email=test@example.com";
    await shell(`git init -q . && git add visitor-notes && git ${who} commit -qm "${version}"`, "");
  };

  step("packs, installs and enables a plugin at each commit, with a token for plugins only", async () => {
    const token = await makeToken("plugins:write");
    for (const version of ["1.1.0", "1.2.0", "1.2.0"]) {
      await commit(version);
      rmSync(join(folder, "signed.zip"), { force: true });
      for (const { name = "", run } of steps) {
        if (run === undefined) continue;
        const { out, err, code } = await shell(run, token);
        expect([name, code, code === 0 ? "" : out + err]).toEqual([name, 0, ""]);
      }
      expect(await pluginState(token)).toEqual({ version, state: "running" });
    }
  });

  step("is three commands with the executable", async () => {
    const [typed] = docBlocks("docs/api/ci.md", "sh").filter(
      ({ heading }) => heading === "With the executable",
    );
    const token = await makeToken("plugins:write");
    await commit("1.3.0");
    for (const _ of ["new", "again"]) {
      for (const file of ["visitor-notes.zip", "signed.zip"]) rmSync(join(folder, file), { force: true });
      const { out, err, code } = await shell(typed?.code ?? "", token);
      expect([code, code === 0 ? "" : out + err]).toEqual([0, ""]);
    }
    expect(await pluginState(token)).toEqual({ version: "1.3.0", state: "running" });
    const enable =
      /`(atrium plugin enable .*?)`/.exec(await Bun.file("docs/api/ci.md").text())?.[1] ?? "false";
    expect((await shell(`atrium plugin disable visitor-notes; ${enable}`, token)).code).toBe(0);
    expect(await pluginState(token)).toEqual({ version: "1.3.0", state: "running" });
  });

  step("fails with the reason at the step that is refused", async () => {
    const install = steps.find(({ name }) => name === "Install")?.run ?? "";
    const config = steps.find(({ name }) => name === "Keep the token out of command lines")?.run ?? "";
    const token = await makeToken("plugins:read");
    expect((await shell(config, token)).code).toBe(0);
    const { out, code } = await shell(install, token);
    expect([code, JSON.parse(out).code]).toEqual([22, "FORBIDDEN"]);
    rmSync(join(folder, "curl.conf"));
  });
});
