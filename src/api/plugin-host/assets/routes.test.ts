import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { noPlugins } from "#api/http/plugin-entrance.ts";
import { createFixedSettings, unlimitedCore } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { readManifest } from "#contract/plugin-manifest.ts";
import type { AssetSource, PluginFiles } from "./asset-source.ts";
import { createKeptBodies, isPublicAsset } from "./routes.ts";

const sha = "0123456789ab";
const older = "ba9876543210";
const content: Record<string, string> = {
  "plugin.json": "{}",
  "integrity.json": "{}",
  "backend/index.js": "the backend",
  "backend/secrets.txt": "of the backend",
  "frontend/index.js": "export default {}",
  "frontend/site.js": "export default {}",
  "frontend/index.css": ".flex { display: flex }",
  "frontend/page.html": "<script>alert(1)</script>",
  "assets/logo.svg": "<svg onload='alert(1)'/>",
  "assets/data.bin": "bytes",
};

const settings = createFixedSettings();
let isOn = true;
let mode: "iframe" | "native" = "iframe";
const source = (plugin: { frames: PluginFiles; windows: PluginFiles }): AssetSource => {
  const files = () => (mode === "iframe" ? plugin.frames : plugin.windows);
  return {
    open: async (name, wanted) =>
      isOn && name === "visitor-notes" && [sha, older].includes(wanted)
        ? { ...files(), sha12: wanted }
        : null,
    current: async (name) => (isOn && name === "visitor-notes" ? files() : null),
    siteScripts: () =>
      isOn ? [{ name: "visitor-notes", version: "1.0.0", script: at("frontend/site.js") }] : [],
  };
};
const filesOf = async (frontendMode: string): Promise<PluginFiles> => {
  const files = { entry: "frontend/index.js", css: "frontend/index.css", site: "frontend/site.js" };
  const frontend = { ...files, mode: frontendMode };
  const permissions = ["ui.page", "ui.site", ...(frontendMode === "native" ? ["ui.native"] : [])];
  const { manifest } = await startLivePlugin({ manifest: { frontend, permissions, title: "<Notes>" } });
  const read = async (path: string) =>
    content[path] === undefined ? null : new TextEncoder().encode(content[path]);
  return { manifest, sha12: sha, has: (path) => Object.hasOwn(content, path), read };
};
const plugin = { frames: await filesOf("iframe"), windows: await filesOf("native") };
const host = await hostForFile({
  settings,
  pages: {
    respond: () => new Response("page"),
    hostFile: (name) =>
      name === "react.js"
        ? new Response("export {}", { headers: { "content-type": "text/javascript" } })
        : null,
  },
  entrance: () => ({ ...noPlugins, assets: source(plugin) }),
});
const admin = await host.signedIn("admin");

const at = (path: string, wanted = sha) => `/api/plugins/visitor-notes/assets/${wanted}/${path}`;
const get = (path: string, headers: Record<string, string> = {}) => host.request(path, { headers });

describe("P9: a file of a plugin's frontend", () => {
  test(
    "is served from the package forever, also to frames without an origin, and inert when it is opened " +
      "directly",
    async () => {
      for (const [path, type] of [
        ["frontend/index.js", "text/javascript; charset=utf-8"],
        ["frontend/page.html", "text/html; charset=utf-8"],
        ["assets/logo.svg", "image/svg+xml"],
        ["assets/data.bin", "application/octet-stream"],
      ] as const) {
        const answer = await get(at(path));
        expect([path, answer.status, await answer.text()]).toEqual([path, 200, content[path] ?? ""]);
        expect(answer.headers.get("content-type")).toBe(type);
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("content-security-policy")).toStartWith("sandbox; default-src 'none'");
        expect(answer.headers.get("access-control-allow-origin")).toBe("*");
        expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      }
    },
  );

  test("of an older version is there as long as that is kept", async () => {
    expect((await get(at("frontend/index.js", older))).status).toBe(200);
    expect((await get(at("frontend/index.js", "000000000000"))).status).toBe(404);
  });

  test("stays inert with what hardens browsers switched off", async () => {
    settings.setCore({ ...unlimitedCore, security: { ...unlimitedCore.security, helmetEnabled: false } });
    const answer = await get(at("assets/logo.svg"));
    settings.setCore(unlimitedCore);
    expect(answer.headers.get("content-security-policy")).toStartWith("sandbox;");
  });

  test("comes without a cookie, so that caches can keep it", async () => {
    // By then the cookie is due to be renewed, with the next call that asks who comes.
    host.clock.advance(3_600_000);
    const answer = await admin.call("GET", at("assets/logo.svg"));
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
    expect((await admin.call("GET", "/api/auth/user")).headers.get("set-cookie")).toContain("sid=");
  });

  test("is nothing beside the frontend: no backend, manifest or signature, nor what is not listed", async () => {
    for (const path of [
      ...["plugin.json", "integrity.json", "backend/index.js", "backend/secrets.txt", "frontend/none.js"],
      ...[
        "frontend/../plugin.json",
        "frontend/%2e%2e/plugin.json",
        "frontend//index.js",
        "Frontend/index.js",
      ],
    ])
      expect([path, (await get(at(path))).status]).toEqual([path, 404]);
  });

  test("is not there while its plugin is off, nor of a plugin that is not", async () => {
    isOn = false;
    expect((await get(at("frontend/index.js"))).status).toBe(404);
    expect((await get("/api/plugins/visitor-notes/frame")).status).toBe(404);
    isOn = true;
    expect((await get(`/api/plugins/other/assets/${sha}/frontend/index.js`)).status).toBe(404);
  });

  test("that is a script for frames is none for pages", async () => {
    const page = { "sec-fetch-site": "same-origin" };
    expect((await get(at("frontend/index.js"), page)).status).toBe(404);
    expect((await get(at("frontend/index.js"), { "sec-fetch-site": "cross-site" })).status).toBe(200);
    mode = "native";
    expect((await get(at("frontend/index.js"), page)).status).toBe(200);
    mode = "iframe";
  });
});

describe("the script of a plugin for every page", () => {
  test("is listed for everyone while the plugin runs, and kept by no browser", async () => {
    const answer = await get("/api/plugins/site-scripts");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=0, s-maxage=10");
    expect(answer.headers.has("set-cookie")).toBe(false);
    expect(await answer.json()).toEqual({
      success: true,
      data: [{ name: "visitor-notes", version: "1.0.0", script: at("frontend/site.js") }],
    });
    isOn = false;
    expect(await (await get("/api/plugins/site-scripts")).json()).toEqual({ success: true, data: [] });
    isOn = true;
  });

  test("is a script for pages, also of a plugin whose own page is in a frame", async () => {
    const answer = await get(at("frontend/site.js"), { "sec-fetch-site": "same-origin" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/javascript; charset=utf-8",
    ]);
    expect(answer.headers.get("cache-control")).toContain("immutable");
  });
});

describe("a stylesheet of a plugin", () => {
  test("holds for the plugin's own elements alone", async () => {
    const answer = await get(at("frontend/index.css"));
    expect(answer.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(await answer.text()).toBe(
      '@scope ([data-plugin="visitor-notes"]) {\n.flex { display: flex }\n}\n',
    );
  });
});

test("a frontend at the top of its package lays nothing open but itself", async () => {
  const { manifest } = await filesOf("iframe");
  const atTop = {
    ...manifest,
    frontend: { entry: "page.js", css: null, mode: "iframe" as const, overlay: false, site: null },
  };
  const paths = ["page.js", "plugin.json", "backend/index.js", "other.js", "assets/logo.svg"];
  expect(paths.filter((path) => isPublicAsset(atTop, path))).toEqual(["page.js", "assets/logo.svg"]);
});

describe("the document of a frame", () => {
  test(
    "runs scripts of its plugin and the host's for frames, can't send requests, and can only be framed " +
      "by our pages",
    async () => {
      const answer = await get("/api/plugins/visitor-notes/frame");
      const [policy, beginning] = (answer.headers.get("content-security-policy") ?? "").split(", ");
      const html = await answer.text();
      const [, script = ""] = /<script [^>]*>(.*)<\/script>/.exec(html) ?? [];
      const start = `'sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}'`;
      const assets = `http://localhost:3000/api/plugins/visitor-notes/assets/${sha}/`;
      expect(policy?.split("; ")).toEqual([
        "sandbox allow-scripts",
        "default-src 'none'",
        `script-src ${start} http://localhost:3000/api/plugin-host/frame.js ${assets}`,
        `style-src ${assets}`,
        `img-src ${assets} data:`,
        `font-src ${assets} data:`,
        "connect-src 'none'",
        "frame-src 'none'",
        "worker-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ]);
      expect(beginning).toBe(`script-src ${start} 'strict-dynamic'`);
      expect(answer.headers.get("connection-allowlist")).toBe("(response-origin)");
      expect(answer.headers.get("x-frame-options")).toBe("SAMEORIGIN");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(script).toContain('src:"/api/plugin-host/frame.js"');
      expect(html).toContain("<title>&lt;Notes&gt;</title>");
      expect(html).toContain(`data-entry="${at("frontend/index.js")}"`);
      expect(html).toContain(`href="${at("frontend/index.css")}"`);
    },
  );
});

test("the host's scripts for frontends are there for frames of no origin", async () => {
  const answer = await get("/api/plugin-host/react.js");
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect((await get("/api/plugin-host/none.js")).status).toBe(404);
});

test("everyone may have what lies in the frontend's folders, but never the backend, wherever that lies", () => {
  const read = readManifest({
    manifestVersion: 1,
    name: "alpha",
    version: "1.0.0",
    title: "Alpha",
    backend: { entry: "dist/server.js" },
    frontend: { entry: "dist/index.js" },
    permissions: ["ui.page"],
  });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const paths = ["dist/index.js", "dist/logo.svg", "assets/font.woff2", "dist/server.js", "manifest.json"];
  expect(paths.filter((path) => isPublicAsset(read.manifest, path))).toEqual(paths.slice(0, 3));
});

const script = "export default 1;\n".repeat(200);
const file = (key = "a", type = "text/javascript; charset=utf-8", text = script) => {
  let made = 0;
  return {
    times: () => made,
    ...{ key, type },
    make: async () => {
      made += 1;
      return text;
    },
  };
};

test("a text is made and compressed once for each coding that readers ask for", async () => {
  const bodyOf = createKeptBodies();
  const asked = file();
  const br = await bodyOf(asked, "gzip, br");
  await bodyOf(asked, "gzip, br");
  expect([br.coding, brotliDecompressSync(br.bytes).toString()]).toEqual(["br", script]);
  const gzip = await bodyOf(asked, "gzip");
  expect([gzip.coding, gunzipSync(gzip.bytes).toString()]).toEqual(["gzip", script]);
  const plain = await bodyOf(asked, null);
  expect([plain.coding, new TextDecoder().decode(plain.bytes)]).toEqual([null, script]);
  expect(asked.times()).toBe(3);
});

test("what can't be made is tried again by the next reader", async () => {
  const bodyOf = createKeptBodies();
  const asked = file();
  const away = { ...asked, make: () => Promise.reject(new Error("away")) };
  await expect(bodyOf(away, null)).rejects.toThrow("away");
  expect((await bodyOf(asked, null)).coding).toBe(null);
});

test("pictures and small texts go as they are", async () => {
  const bodyOf = createKeptBodies();
  expect((await bodyOf(file("b", "image/png"), "br")).coding).toBe(null);
  expect((await bodyOf(file("c", "text/css", "a{}"), "br")).coding).toBe(null);
});

test("what was not requested lately is dropped", async () => {
  const bodyOf = createKeptBodies();
  const first = file("first");
  await bodyOf(first, "br");
  for (let at = 0; at < 60; at += 1) await bodyOf(file(`${at}`, "text/css", "a{}"), "br");
  await bodyOf(first, "br");
  expect(first.times()).toBe(2);
});
