import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, crc32, gunzipSync, gzipSync } from "node:zlib";
import { deflateOpen } from "#api/http/pages/open-page.ts";
import type { BuiltPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { unsetSite } from "#contract/site.ts";
import type { User } from "#contract/users.ts";
import type { PageRequest } from "./open-page.ts";
import { loadPages } from "./pages.ts";

/** How every page of {@link makeBuiltSite} ends, and the text of its scripts. */
const tail = "</script></body></html>";
const script = "console.log('an asset long enough to be worth compressing, compressing, compressing')";

/** A built user interface of a few pages and files in a folder of its own, until it is removed. */
const makeBuiltSite = (): { dir: string; remove(): void } => {
  const dir = mkdtempSync(join(tmpdir(), "atrium-pages-"));
  const put = (name: string, bytes: string | Uint8Array): string => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
    return name;
  };

  const openPage = (name: string, kind: string) => {
    const head = `<!doctype html><p>${kind} page ${name}</p><script type="application/json" id="atrium-session">`;
    return {
      headDeflated: put(`${name}.${kind}.deflate`, deflateOpen(Buffer.from(head))),
      headCrc: crc32(head),
      csp: `default-src 'none'; script-src 'sha256-${kind}'`,
      gaps: [],
    };
  };

  const page = (name: string, access: BuiltPage["access"]): BuiltPage => {
    const built: BuiltPage = {
      access,
      loads: { scripts: [`/assets/${name}.js`], styles: ["/assets/app.css"] },
      member: openPage(name, "member"),
      unsure: openPage(name, "unsure"),
    };
    if (access !== "public") return built;
    const text = `<!doctype html><p>visitor page ${name}</p>${"x".repeat(500)}`;
    const files = {
      identity: put(`${name}.html`, text),
      br: put(`${name}.html.br`, brotliCompressSync(text)),
    };
    const visitor = {
      type: "text/html; charset=utf-8",
      etag: name,
      isImmutable: false,
      files,
      csp: "default-src 'none'",
      gaps: [],
    };
    return { ...built, visitor };
  };

  const manifest: UiManifest = {
    assets: {
      "/assets/main-1.js": {
        type: "text/javascript; charset=utf-8",
        etag: "js",
        isImmutable: true,
        files: { identity: put("main.js", script), br: put("main.js.br", brotliCompressSync(script)) },
      },
      "/assets/api-page-1.js": {
        type: "text/javascript; charset=utf-8",
        etag: "api-js",
        isImmutable: true,
        isPacked: true,
        files: { identity: put("api.js.gzip", gzipSync(script)), gzip: "api.js.gzip" },
      },
      "/favicon.svg": {
        type: "image/svg+xml",
        etag: "svg",
        isImmutable: false,
        files: { identity: put("favicon.svg", "<svg/>") },
      },
    },
    texts: {},
    documents: {
      "/swagger": {
        type: "text/html; charset=utf-8",
        etag: "api",
        isImmutable: false,
        files: { identity: put("api.html", "<!doctype html><p>the API") },
        csp: "default-src 'none'; script-src 'self'",
        gaps: [],
      },
    },
    pages: {
      "/": page("home", "public"),
      "/login": page("login", "public"),
      "/dashboard": page("dashboard", "user"),
      "/admin": page("admin", "admin"),
    },
    notFound: page("not-found", "public"),
    tail,
  };
  put("manifest.json", JSON.stringify(manifest));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

const ada: User = {
  id: "1",
  name: "Ada",
  email: "ada@example.org",
  role: "admin",
  googleId: null,
  githubId: null,
  emailVerified: true,
  createdAt: "2026-01-01T00:00:00.000Z",
};
const bob: User = { ...ada, id: "2", name: "Bob", email: "bob@example.org", role: "user" };
let site: ReturnType<typeof makeBuiltSite>;
let pages: ReturnType<typeof loadPages>;
beforeAll(() => {
  site = makeBuiltSite();
  pages = loadPages({ appUrl: "http://localhost:3000", dir: site.dir });
});
afterAll(() => site.remove());

type Ask = Partial<Omit<PageRequest, "headers">> & { headers?: Record<string, string> };

const ask = ({ headers = {}, ...request }: Ask): Response =>
  pages.respond({
    method: "GET",
    path: "/",
    search: "",
    user: null,
    isKnown: true,
    ...request,
    headers: new Headers(headers),
  });

describe("files", () => {
  test("a hashed file comes in the reader's coding and may be kept forever", async () => {
    const answer = ask({ path: "/assets/main-1.js", headers: { "accept-encoding": "gzip, br" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(answer.headers.get("vary")).toContain("accept-encoding");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(brotliDecompressSync(await answer.bytes()).toString()).toBe(script);
  });

  test("a reader without codings gets the plain bytes under another entity tag", async () => {
    const plain = ask({ path: "/assets/main-1.js" });
    const coded = ask({ path: "/assets/main-1.js", headers: { "accept-encoding": "br" } });
    expect(plain.headers.has("content-encoding")).toBe(false);
    expect(await plain.text()).toBe(script);
    expect(plain.headers.get("etag")).not.toBe(coded.headers.get("etag"));
  });

  test("a file that lies packed is unpacked for a reader without codings", async () => {
    const path = "/assets/api-page-1.js";
    const packed = ask({ path, headers: { "accept-encoding": "gzip" } });
    expect(gunzipSync(await packed.bytes()).toString()).toBe(script);
    expect(await ask({ path }).text()).toBe(script);
  });

  test("a file whose name has no hash is asked about again each time", () => {
    expect(ask({ path: "/favicon.svg" }).headers.get("cache-control")).toBe("public, no-cache");
  });

  test("what the reader has already is not sent again", async () => {
    const etag = ask({ path: "/favicon.svg" }).headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = ask({ path: "/favicon.svg", headers: { "if-none-match": known } });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe("");
    }
    expect(ask({ path: "/favicon.svg", headers: { "if-none-match": '"other"' } }).status).toBe(200);
  });

  test("HEAD tells the length and sends nothing", async () => {
    const answer = ask({ method: "HEAD", path: "/assets/main-1.js" });
    expect(answer.headers.get("content-length")).toBe(String(script.length));
    expect(await answer.text()).toBe("");
  });

  const absent = [
    "/assets/other.js",
    "/assets/main-1.js.map",
    "/assets/main-1.js.br",
    "/assets/",
    "/manifest.json",
    "/home.html",
    "/.env",
    "/.git/config",
    "/../package.json",
    "/..%2fpackage.json",
    "/assets/..%2f..%2fpackage.json",
    "/%2e%2e/manifest.json",
    "/__proto__",
    "/constructor",
    "/assets/main-1.js%00.html",
  ];
  for (const path of absent) {
    test(`${path} is 404`, () => {
      expect(ask({ path }).status).toBe(404);
    });
  }
});

describe("pages", () => {
  test("a visitor gets the prebuilt bytes, to be asked about again each time", async () => {
    const answer = ask({ headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("vary")).toContain("cookie");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(brotliDecompressSync(await answer.bytes()).toString()).toContain("visitor page home");
    const again = ask({
      headers: { "accept-encoding": "br", "if-none-match": answer.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });

  test("a page beside the application is the same for everyone, under its own policy", async () => {
    for (const user of [null, bob]) {
      const answer = ask({ path: "/swagger", user });
      expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; script-src 'self'");
      expect(answer.headers.get("cache-control")).toBe("public, no-cache");
      expect(await answer.text()).toContain("the API");
    }
    expect(ask({ path: "/swagger/" }).headers.get("location")).toBe("/swagger");
  });

  test.each([
    ["everybody", { visitor: 200, bob: 200, admin: 200, token: 200, unknown: 200 }],
    ["members", { visitor: 302, bob: 200, admin: 200, token: 200, unknown: 503 }],
    ["admins", { visitor: 302, bob: 302, admin: 200, token: 200, unknown: 503 }],
    ["off", { visitor: 404, bob: 404, admin: 404, token: 404, unknown: 404 }],
  ] as const)("what is about the program is for those whom the settings name: %s", (docs, statuses) => {
    const server = loadPages({
      appUrl: "http://localhost:3000",
      dir: site.dir,
      identity: () => ({ ...unsetSite, docs }),
    });
    const readers = {
      visitor: {},
      bob: { user: bob },
      admin: { user: { ...bob, role: "admin" as const } },
      token: { hasToken: true },
      unknown: { isKnown: false },
    };
    const answers = Object.entries(readers).map(([name, reader]) => {
      const request = { method: "GET", path: "/swagger", search: "", headers: new Headers(), user: null };
      return [name, server.respond({ ...request, isKnown: true, ...reader })] as const;
    });
    expect(Object.fromEntries(answers.map(([name, { status }]) => [name, status]))).toEqual(statuses);
    for (const [name, { status, headers }] of answers)
      if (status === 200 && docs !== "everybody")
        expect([name, headers.get("cache-control")]).toEqual([name, "private, no-cache"]);
    for (const path of ["/llms.txt", "/assets/docs-1a_-.json"])
      expect([path, server.isForSome?.(path)]).toEqual([path, docs !== "everybody"]);
    expect(server.isForSome?.("/assets/main-1.js")).toBe(false);
  });

  test("a signed-in user gets the session in the page, which is never cached, even with a visitor's entity tag", async () => {
    const etag = ask({}).headers.get("etag") ?? "";
    const answer = ask({ user: bob, headers: { "if-none-match": etag } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.has("etag")).toBe(false);
    expect(answer.headers.get("content-security-policy")).toContain("sha256-member");
    const text = await answer.text();
    expect(text).toContain("member page home");
    expect(text).toEndWith(`{"user":${JSON.stringify(bob)}}${tail}`);
  });

  test("the gzip form of a page with a session unpacks to its plain form", async () => {
    const plain = await ask({ user: bob }).text();
    const coded = ask({ user: bob, headers: { "accept-encoding": "gzip, deflate, br" } });
    expect(coded.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await coded.bytes()).toString()).toBe(plain);
  });

  test("a session too long for one block is sent plain and whole", async () => {
    const user = { ...bob, name: "é".repeat(40_000) };
    const answer = ask({ user, headers: { "accept-encoding": "gzip" } });
    expect(answer.headers.has("content-encoding")).toBe(false);
    expect(await answer.text()).toContain(user.name);
  });

  test("a name cannot end the element that holds the session", async () => {
    const name = "</script><script>alert(1)</script><!--";
    const text = await ask({ user: { ...bob, name } }).text();
    const inside = text.slice(text.indexOf('id="atrium-session">') + 20, -tail.length);
    expect(inside).not.toContain("<");
    expect(JSON.parse(inside).user.name).toBe(name);
  });

  test("while the session cannot be looked up, a public page says so and a guarded one leaves the answer open", async () => {
    const home = ask({ isKnown: false });
    expect(await home.text()).toEndWith(`{"user":null,"isCertain":false}${tail}`);
    expect(home.headers.get("cache-control")).toBe("private, no-store");
    const admin = ask({ isKnown: false, path: "/admin" });
    expect(admin.status).toBe(200);
    expect(await admin.text()).toEndWith(`id="atrium-session">${tail}`);
  });

  test("an unknown address is 404 with the interface's own page, for visitors and users", async () => {
    for (const user of [null, bob]) {
      const answer = ask({ path: "/nowhere", user });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("page not-found");
    }
  });

  test("an unknown address is never answered with 304", () => {
    expect(ask({ path: "/nowhere", headers: { "if-none-match": "*" } }).status).toBe(404);
  });

  test("other methods are refused", () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
      const answer = ask({ method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("every answer carries the common headers, and HSTS where the origin is https", () => {
    const secure = loadPages({ appUrl: "https://atrium.example", dir: site.dir });
    for (const path of ["/", "/nowhere", "/admin", "/assets/main-1.js", "/.env"]) {
      const plain = ask({ path });
      expect(plain.headers.get("referrer-policy")).toBe("no-referrer");
      expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
      expect(plain.headers.has("strict-transport-security")).toBe(false);
      const request = { method: "GET", path, search: "", headers: new Headers(), user: null, isKnown: true };
      expect(secure.respond(request).headers.has("strict-transport-security")).toBe(true);
    }
  });
});

describe("redirects", () => {
  const table: [path: string, search: string, user: User | null, to: string | null][] = [
    ["/", "", null, null],
    ["/", "", bob, null],
    ["/login", "", null, null],
    ["/login", "?from=%2Fadmin", bob, "/dashboard"],
    ["/dashboard", "", null, "/login?from=%2Fdashboard"],
    ["/dashboard", "", bob, null],
    ["/admin", "?a=1&b=2", null, "/login?from=%2Fadmin%3Fa%3D1%26b%3D2"],
    ["/admin", "", bob, "/dashboard"],
    ["/admin", "", ada, null],
    ["/dashboard/", "?x=1", bob, "/dashboard?x=1"],
    ["//evil.example/", "", null, null],
  ];
  for (const [path, search, user, to] of table) {
    const who = user === null ? "a visitor" : `the ${user.role} ${user.name}`;
    test(`${who} at ${path}${search} ${to === null ? "stays" : `goes to ${to}`}`, () => {
      expect(ask({ path, search, user }).headers.get("location")).toBe(to);
    });
  }
});

test("without a build every request is told how to make one", async () => {
  const bare = loadPages({ appUrl: "http://localhost:3000", dir: join(site.dir, "absent") });
  const request = { method: "GET", path: "/", search: "", headers: new Headers(), user: null, isKnown: true };
  const answer = bare.respond(request);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("bun run build ui");
});
