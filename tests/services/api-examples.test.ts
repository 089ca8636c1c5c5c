import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { type DocBlock, docBlocks } from "../driver/doc-blocks.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  server = await startServer();
  folder = temporaryFolder();
});
afterAll(async () => {
  await server.stop();
  for (const each of [folder, server.dataDir]) removeFolder(each);
});

/** A token that the operator made. */
const makeToken = async (...scopes: string[]): Promise<string> => {
  const response = await fetch("http://localhost/api/admin/tokens", {
    unix: join(server.dataDir, "control.sock"),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: `examples ${crypto.randomUUID()}`, scopes }),
  });
  const { data } = await response.json();
  return data.token;
};

/** Runs a piece of shell as the documents' readers would; what it printed and how it ended. */
const shell = async (code: string, token: string) => {
  const child = Bun.spawn(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", code], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      ATRIUM_URL: server.url,
      ATRIUM_TOKEN: token,
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

  test("install a plugin and enable it", async () => {
    await Bun.write(join(folder, "visitor-notes.zip"), await packPlugin());
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

  test("show a token to nobody who lists processes", () => {
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

  test("packs, installs and enables a plugin, each commit anew, with a token for plugins alone", async () => {
    const token = await makeToken("plugins:write");
    for (const version of ["1.1.0", "1.2.0", "1.2.0"]) {
      await commit(version);
      for (const { name = "", run } of steps) {
        if (run === undefined) continue;
        const { out, err, code } = await shell(run, token);
        expect([name, code, code === 0 ? "" : out + err]).toEqual([name, 0, ""]);
      }
      expect(await pluginState(token)).toEqual({ version, state: "running" });
    }
  }, 60_000);

  test("fails with the reason at the step that is refused", async () => {
    const install = steps.find(({ name }) => name === "Install")?.run ?? "";
    const config = steps.find(({ name }) => name === "Keep the token out of command lines")?.run ?? "";
    const token = await makeToken("plugins:read");
    expect((await shell(config, token)).code).toBe(0);
    const { out, code } = await shell(install, token);
    expect([code, JSON.parse(out).code]).toEqual([22, "FORBIDDEN"]);
    rmSync(join(folder, "curl.conf"));
  });
});
