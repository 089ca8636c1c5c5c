import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { inflateOpen } from "#api/http/pages/open-page.ts";
import { loadPages } from "#api/http/pages/pages.ts";
import { fillGaps, siteValues } from "#api/http/pages/site-values.ts";
import type { BuiltPage, OpenPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { unsetSite } from "#contract/site.ts";
import { legalDocuments } from "#ui/features/site/legal/legal-documents.ts";
import { commonPasswordsPath } from "#ui/lib/common-passwords.ts";
import { sampleUser } from "#ui/prerender.tsx";
import { buildUi, uiDir } from "../build-ui.ts";
import { buildAndStamp, staleTargets } from "../prepare/build-targets.ts";
import { apiFilePrefix, apiPagePath } from "./write-site.ts";

// Budgets in brotli bytes. Source: the look and feel's "Budgets"; the first round trip carries about 14 kB.
const budget = {
  page: 14_000,
  boot: 2_000,
  react: 65_000,
  wholePage: 150_000,
  apiPage: 400_000,
  font: 40_000,
};

let manifest: UiManifest;

beforeAll(async () => {
  if (staleTargets(["ui"]).length > 0) await buildAndStamp("ui", () => buildUi());
  manifest = readManifest();
}, 120_000);

// Written by the build a moment ago.
const readManifest = () => JSON.parse(readFileSync(join(uiDir, "manifest.json"), "utf8")) as UiManifest;

const read = (name: string) => readFileSync(join(uiDir, name), "utf8");
const headOf = (page?: OpenPage) =>
  page === undefined ? "" : inflateOpen(readFileSync(join(uiDir, page.headDeflated))).toString();
const sizeOf = (name: string) => statSync(join(uiDir, name)).size;

const smallest = (path: string): number => {
  const asset = manifest.assets[path];
  if (asset === undefined) throw new Error(`${path} is not in the manifest`);
  return sizeOf(asset.files.br ?? asset.files.identity);
};

const allPages = (): [path: string, page: BuiltPage][] => [
  ...Object.entries(manifest.pages),
  ...Object.entries(manifest.variants ?? {}).flatMap(([path, words]) =>
    Object.entries(words).map(([word, page]): [string, BuiltPage] => [`${path} as ${word}`, page]),
  ),
  ["not-found", manifest.notFound],
];

type Visitor = NonNullable<BuiltPage["visitor"]>;

/** A visitor's page as text, without an origin. */
const visitorText = ({ files }: Visitor): string => read(files.identity);

const origin = `https://${"a".repeat(63)}.example`;
const values = siteValues(unsetSite, origin);

/** What a visitor's page measures on its way, in brotli; one that names its address does so under a long one. */
const visitorSize = ({ files, gaps }: Visitor): number => {
  if (files.br !== undefined) return sizeOf(files.br);
  return brotliCompressSync(fillGaps(readFileSync(join(uiDir, files.identity)), gaps, values)).byteLength;
};

/** Every document that can be sent, with the policy that it is sent with. */
const documents = () =>
  allPages().flatMap(([path, page]) => {
    const open = (kind: string, built: OpenPage) => ({
      name: `${path} (${kind})`,
      html: headOf(built),
      csp: built.csp,
    });
    const whole = page.visitor;
    const visitor = whole ? [{ name: path, html: visitorText(whole), csp: whole.csp }] : [];
    return [...visitor, open("member", page.member), open("unsure", page.unsure)];
  });

const sha256 = (text: string) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
const bootOf = (html: string) => /<script data-app[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "";
const chunksOf = (html: string) => (/data-chunks="([^"]*)"/.exec(html)?.[1] ?? "").split(" ");
const isOfApiPage = (path: string) => path.startsWith(`/assets/${apiFilePrefix}`);
const brotliSize = (text: string) => brotliCompressSync(text).byteLength;

describe("what readers have to load", () => {
  test("every public page with its styles fits into the first round trip", () => {
    for (const [path, { visitor }] of allPages()) {
      if (visitor) expect([path, visitorSize(visitor)]).toSatisfy(([, size]) => Number(size) <= budget.page);
    }
  });

  test("signed-in readers' pages fit too", () => {
    for (const [path, { member }] of allPages()) {
      expect([path, sizeOf(member.headDeflated)]).toSatisfy(
        ([, size]) => Number(size) <= budget.page + 1_000,
      );
    }
  });

  test("the script before any interaction is within its budget", () => {
    for (const { html } of documents()) {
      expect(bootOf(html).length).toBeGreaterThan(100);
      expect(brotliSize(bootOf(html))).toBeLessThanOrEqual(budget.boot);
    }
  });

  test("React and the router are within their budget", () => {
    const react = Object.keys(manifest.assets).filter((path) => /\/react-[^/]*\.js$/.test(path));
    expect(react).toHaveLength(1);
    expect(react.map(smallest).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(budget.react);
  });

  test("every page is within its budget with all its scripts and styles", () => {
    const styles = Object.keys(manifest.assets).filter((path) => /\/main-[^/]*\.css$/.test(path));
    expect(styles).toHaveLength(1);
    for (const [path, { member }] of allPages()) {
      const files = [...chunksOf(headOf(member)), ...styles];
      expect([path, files.map(smallest).reduce((a, b) => a + b, 0)]).toSatisfy(
        ([, size]) => Number(size) <= budget.wholePage,
      );
    }
  });

  test("legal texts and common passwords are loaded only where they are shown or checked", () => {
    const eager = new Set(allPages().flatMap(([, { member }]) => chunksOf(headOf(member))));
    for (const path of eager)
      for (const { lead } of Object.values(legalDocuments))
        expect([path, read(manifest.assets[path]?.files.identity ?? "").includes(lead)]).toEqual([
          path,
          false,
        ]);
    expect(read(commonPasswordsPath.slice(1)).split("\n")).toContain("password123");
  });

  test("what shows the API stays within its budget, and no page of the application loads it", () => {
    const own = Object.keys(manifest.assets).filter(isOfApiPage);
    expect(own.map((path) => path.split(".").at(-1)).sort()).toEqual(["css", "js"]);
    expect(own.map(smallest).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(budget.apiPage);
    for (const { name, html } of documents())
      expect([name, own.some((path) => html.includes(path))]).toEqual([name, false]);
    const page = manifest.documents?.[apiPagePath];
    const html = read(page?.files.identity ?? "");
    for (const path of own) expect(html).toContain(path);
    const [, painting = ""] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(page?.csp).toContain(sha256(painting));
    expect(page?.csp).not.toContain("unsafe");
    expect(html).not.toMatch(/\sstyle=|<style|(?:src|href)="(?:https?:)?\/\//);
  });

  test("there is one font, within its budget", () => {
    const fonts = Object.keys(manifest.assets).filter((path) => path.endsWith(".woff2"));
    expect(fonts.map(smallest)).toSatisfy((sizes) => sizes.length === 1 && Number(sizes[0]) <= budget.font);
  });
});

describe("the markup made ahead of time", () => {
  test("has no script or style that its policy does not name by hash", () => {
    for (const { name, html, csp } of documents()) {
      for (const [, attributes = "", text = ""] of html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)) {
        if (!attributes.includes('type="application/json"'))
          expect([name, csp]).toEqual([name, expect.stringContaining(sha256(text))]);
      }
      for (const [, text = ""] of html.matchAll(/<style>(.*?)<\/style>/gs)) {
        expect([name, csp]).toEqual([name, expect.stringContaining(sha256(text))]);
      }
      expect(csp).not.toContain("unsafe");
    }
  });

  test("tells the admin area alone where plugins' frontends find what they share, and lets it show frames", () => {
    for (const [path, page] of allPages()) {
      const isForPlugins = page.access === "admin";
      for (const open of [page.member, page.unsure]) {
        const { csp } = open;
        const html = headOf(open);
        expect([path, html.includes('<script type="importmap">')]).toEqual([path, isForPlugins]);
        expect([path, csp.includes("frame-src 'self'")]).toEqual([path, isForPlugins]);
        // A map that comes after the first module is not looked at.
        if (isForPlugins) expect(html.indexOf("importmap")).toBeLessThan(html.indexOf("<script data-app"));
      }
      if (page.visitor) expect(visitorText(page.visitor)).not.toContain("importmap");
    }
  });

  test("has the scripts that plugins' frontends begin with", () => {
    const { hostFiles = {} } = manifest;
    expect(Object.keys(hostFiles).sort()).toEqual([
      ...["frame.js", "react-dom.js", "react-jsx-runtime.js", "react.js", "sdk-ui.js", "sdk.js"],
    ]);
    const text = (name: string) => read(hostFiles[name]?.files.identity ?? "");
    for (const hook of ["useState", "useEffect", "createElement"])
      expect(text("react.js")).toContain(`export const ${hook}=m.${hook};`);
    expect(text("react-jsx-runtime.js")).toContain("export const jsx=m.jsx;");
    expect(text("frame.js")).toContain("frame-ready");
  });

  test("has no style attribute and no inline event handler", () => {
    for (const { name, html } of documents()) {
      const body = html.slice(html.indexOf("<body"));
      expect([name, /<[^>]*\s(?:style|on[a-z]+)=/i.exec(body)?.[0]]).toEqual([name, undefined]);
    }
  });

  test("loads nothing from elsewhere", () => {
    for (const { name, html } of documents()) {
      expect([
        name,
        /<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\//.exec(html)?.[0],
      ]).toEqual([name, undefined]);
    }
  });

  test("never shows one user's name, address or role to another", () => {
    for (const { name, html } of documents()) {
      for (const secret of [sampleUser.id, sampleUser.name, sampleUser.email]) {
        expect([name, html.includes(secret)]).toEqual([name, false]);
      }
    }
  });

  test("has one h1 on public pages, one main, a skip link and a language", () => {
    for (const [path, { visitor }] of allPages()) {
      if (!visitor) continue;
      const html = visitorText(visitor);
      expect([path, html.match(/<h1[\s>]/g)?.length, html.match(/<main[\s>]/g)?.length]).toEqual([
        path,
        1,
        1,
      ]);
      expect(html).toContain('<html lang="en">');
      expect(html).toContain('href="#content"');
    }
  });

  test("has no form that would put what was typed into the address bar", () => {
    for (const { name, html } of documents()) {
      for (const [form] of html.matchAll(/<form[^>]*>/g))
        expect([name, form]).toEqual([name, expect.stringContaining('method="post"')]);
    }
  });

  test("shows Login and Register only to visitors", () => {
    const home = manifest.pages["/"];
    const visitor = home?.visitor ? visitorText(home.visitor) : "";
    expect(visitor).toContain(">Login<");
    expect(visitor).toContain(">Register<");
    const member = headOf(home?.member);
    const header = member.slice(member.indexOf("<header"), member.indexOf("</header>"));
    expect(header).not.toContain(">Login<");
    expect(header).toContain('aria-label="Account menu"');
  });

  test("shows the gate alone where a guarded page's reader is not known", () => {
    const unsure = headOf(manifest.pages["/admin"]?.unsure);
    expect(unsure).toContain("Initializing system...");
    expect(unsure).not.toContain("<nav");
  });
});

test("a built page with a session unpacks to its plain form", async () => {
  const server = loadPages({ appUrl: "http://localhost", dir: uiDir });
  const ask = (headers: Record<string, string>) =>
    server.respond({
      method: "GET",
      path: "/admin",
      search: "",
      headers: new Headers(headers),
      user: { ...sampleUser, role: "admin" },
      isKnown: true,
    });
  const plain = await ask({}).text();
  const coded = await ask({ "accept-encoding": "gzip" }).bytes();
  expect(gunzipSync(coded).toString()).toBe(plain);
});

const hostile = `</title><script>'North' & "wind"`;
const ownText = `${hostile}\n\n## ${hostile}\n\n[a](javascript:alert(1))`;
const ownTexts = { homeText: ownText, aboutText: ownText, termsText: ownText, privacyText: ownText };

test.each([
  ["and no name is more than text", {}],
  [
    "with texts of its own, none of which is more than text",
    { ...ownTexts, cookiesText: ownText, home: "sections", socialLinks: [`${hostile} https://b.example`] },
  ],
])("a site of another name calls itself nothing else, %s", async (_, own) => {
  const name = hostile;
  const identity = { ...unsetSite, name, tagline: name, legalName: name, address: name, ...own };
  const pages = loadPages({ appUrl: "http://localhost", dir: uiDir, identity: () => identity });
  const ask = (path: string, user: typeof sampleUser | null) =>
    pages.respond({ method: "GET", path, search: "", headers: new Headers(), user, isKnown: true });
  const { documents = {}, texts, pages: built } = manifest;
  // Chapters are about the program, and so are their descriptions.
  const withoutChapters = (text: string): string =>
    [/<main\b.*<\/main>/s, /<nav [^>]*class="docs-\w+".*?<\/nav>/gs, /^- \[.*$/gm, /<meta [^>]*>/g].reduce(
      (rest: string, about) => rest.replace(about, ""),
      text.replace(/<title>.* · Documentation/, ""),
    );
  const paths = [...Object.keys(built).filter((path) => !path.endsWith("*")), "/nowhere"];
  const others = [...Object.keys(documents), ...Object.keys(texts)];
  for (const user of [null, sampleUser, { ...sampleUser, role: "admin" as const }])
    for (const path of [...paths, ...others]) {
      const answer = ask(path, user);
      const isPage = answer.headers.get("content-type")?.startsWith("text/html");
      const text = await answer.text();
      expect([path, /[\ue000\ue001]/.test(text)]).toEqual([path, false]);
      if (isPage) expect([path, text.includes("<script>'North'")]).toEqual([path, false]);
      const isAboutTheProgram = path.startsWith("/docs") || path === "/llms.txt";
      const said = isAboutTheProgram ? withoutChapters(text) : text;
      expect([path, /.{30}Atrium.{30}/s.exec(said)?.[0]]).toEqual([path, undefined]);
      if (isPage) expect([path, /javascript:/.test(text)]).toEqual([path, false]);
    }
  const title = /<title>([^<]*)<\/title>/.exec(await ask("/docs", null).text())?.[1];
  expect(title).toBe(`Documentation · ${Bun.escapeHTML(name)}`);
  const isOwn = (await ask("/terms", null).text()).includes(
    "&lt;script&gt;'North' &amp; &quot;wind&quot;</h2>",
  );
  expect(isOwn).toBe("home" in own);
});

test("every page of a site of another color has it in a style sheet that its policy names", async () => {
  const pages = loadPages({
    appUrl: "http://localhost",
    dir: uiDir,
    identity: () => ({ ...unsetSite, accent: "#1d4ed8" }),
  });
  const own = Object.keys(manifest.pages).filter((path) => !path.endsWith("*"));
  for (const user of [null, { ...sampleUser, role: "admin" as const }])
    for (const path of [...own, ...Object.keys(manifest.documents ?? {})]) {
      const request = { method: "GET", path, search: "", headers: new Headers(), user, isKnown: true };
      const answer = pages.respond(request);
      if (answer.status === 302) continue;
      expectLook(path, answer.headers.get("content-security-policy") ?? "", await answer.text());
    }
  const tokens = readFileSync("src/ui/styles/tokens.css", "utf8");
  const { look } = siteValues({ ...unsetSite, accent: "#1d4ed8" }, "");
  for (const [name] of look.matchAll(/--[\w-]+(?=:)/g)) expect(tokens).toContain(`  ${name}: `);
});

const expectLook = (path: string, policy: string, html: string): void => {
  const sheets = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, css = ""]) => css);
  expect([path, sheets.filter((css) => css.startsWith(":root:root{--primary:#1d4ed8"))]).toEqual([
    path,
    [expect.any(String)],
  ]);
  for (const css of sheets) expect([path, policy.includes(sha256(css))]).toEqual([path, true]);
};
