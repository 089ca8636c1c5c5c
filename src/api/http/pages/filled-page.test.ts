import { beforeAll, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, crc32, gunzipSync } from "node:zlib";
import { folderForFile } from "#api/testing/for-each-test.ts";
import { markedSite, unsetSite } from "#contract/site.ts";
import { deflateOpen } from "./open-page.ts";
import { loadPages } from "./pages.ts";
import { fillGaps, siteValues, unsetValues, withLook } from "./site-values.ts";
import { type BuiltPage, type Gap, originMark, type UiManifest } from "./ui-manifest.ts";

const rest = "<p>the rest of the page</p>".repeat(20);
const nameGap = (at: number): Gap => [at, "Atrium".length, "name", "text"];
const dir = folderForFile();
let identity = unsetSite;
let isClosed = false;
let pages: ReturnType<typeof loadPages>;

const put = (name: string, bytes: string | Uint8Array): string => {
  writeFileSync(join(dir, name), bytes);
  return name;
};

/** Two pages: `/` names its own address, `/login` only the site. */
const site = (): UiManifest => {
  const head = "<h1>Atrium</h1>";
  const open = {
    headDeflated: put("open.deflate", deflateOpen(Buffer.from(head))),
    headCrc: crc32(head),
    csp: "",
    gaps: [nameGap(4)],
  };
  const page = (name: string, html: string, gaps: Gap[]): BuiltPage => ({
    ...{ access: "public", loads: { scripts: [], styles: [] }, member: open, unsure: open },
    visitor: {
      ...{
        type: "text/html; charset=utf-8",
        etag: name,
        isImmutable: false,
        csp: "default-src 'none'",
        gaps,
      },
      files: { identity: put(name, html), ...(name === "login" ? { br: put("login.br", "stored") } : {}) },
    },
  });
  const home = page("home", `<link href=""><h1>Atrium</h1>${rest}`, [[12, 0, "origin", "text"], nameGap(18)]);
  const texts = {
    "/robots.txt": { type: "text/plain", text: `Sitemap: ${originMark}/sitemap.xml` },
    "/manifest.webmanifest": { type: "application/manifest+json", text: `{"name":"${markedSite.name}"}` },
  };
  const login = page("login", `<h1>Atrium</h1>${rest}`, [nameGap(4)]);
  const look = page("look", rest, [
    [0, 0, "look", "markup"],
    [0, 0, "identity", "markup"],
  ]);
  const ours = page("ours", "", [[0, 0, "termsText", "markup"]]);
  return {
    assets: {},
    texts,
    pages: { "/": home, "/login": login, "/look": look, "/terms": login },
    variants: { "/": { "/notes": look }, "/terms": { own: ours } },
    notFound: home,
    tail: "</html>",
  };
};

beforeAll(() => {
  put("manifest.json", JSON.stringify(site()));
});
beforeEach(() => {
  identity = unsetSite;
  pages = loadPages({ appUrl: "https://b.example", dir, identity: () => identity, isClosed: () => isClosed });
});

type Ask = { path?: string; coding?: string; etag?: string; as?: "user" };

const user = {
  ...{ id: "1", name: "Ada", email: "ada@b.example", role: "user" as const, googleId: null, githubId: null },
  ...{ emailVerified: true, createdAt: "2026-01-01T00:00:00.000Z" },
};

const ask = ({ path = "/", coding = "", etag, as }: Ask, from = pages): Response =>
  from.respond({
    ...{ method: "GET", path, search: "", user: as === undefined ? null : user, isKnown: true },
    headers: new Headers({
      "accept-encoding": coding,
      ...(etag === undefined ? {} : { "if-none-match": etag }),
    }),
  });

/** Asks until the answer is in brotli, which comes a moment later. */
const packed = async (path = "/"): Promise<Response> => {
  for (let round = 0; round < 500; round += 1) {
    const answer = ask({ path, coding: "gzip, br" });
    if (answer.headers.get("content-encoding") === "br") return answer;
    await Bun.sleep(10);
  }
  throw new Error(`${path} was never packed`);
};

const called = (name: string): string => `<link href="https://b.example"><h1>${name}</h1>${rest}`;

test("a page that names its own address does so in gzip immediately, and in brotli soon after", async () => {
  expect(await ask({}).text()).toBe(called("Atrium"));
  const first = ask({ coding: "gzip, br" });
  expect(gunzipSync(await first.bytes()).toString()).toBe(called("Atrium"));
  const answer = await packed();
  expect(brotliDecompressSync(await answer.bytes()).toString()).toBe(called("Atrium"));
  const tags = [first, answer].map(({ headers }) => headers.get("etag") ?? "");
  expect(new Set(tags).size).toBe(2);
  expect(ask({ coding: "gzip, br", etag: tags[1] ?? "" }).status).toBe(304);
  const other = loadPages({ appUrl: "https://c.example", dir });
  expect(tags).not.toContain(ask({ coding: "gzip" }, other).headers.get("etag"));
});

test("any other is sent as it was built, until the site is called something else", async () => {
  const stored = ask({ path: "/login", coding: "br" });
  expect(await stored.text()).toBe("stored");
  identity = { ...unsetSite, name: "North & <b>wind" };
  const html = `<h1>North &amp; &lt;b&gt;wind</h1>${rest}`;
  const named = ask({ path: "/login", etag: stored.headers.get("etag") ?? "" });
  expect([named.status, await named.text()]).toEqual([200, html]);
  expect(brotliDecompressSync(await (await packed("/login")).bytes()).toString()).toBe(html);
  // Saved again: nothing is filled a second time.
  identity = { ...identity };
  expect(ask({ path: "/login", coding: "br" }).headers.get("content-encoding")).toBe("br");
  identity = unsetSite;
  expect(await ask({ path: "/login", coding: "br" }).text()).toBe("stored");
});

test("pages of members and texts follow too", async () => {
  identity = { ...unsetSite, name: 'North "wind"' };
  const member = await ask({ as: "user" }).text();
  expect(member).toStartWith("<h1>North &quot;wind&quot;</h1>");
  expect(gunzipSync(await ask({ as: "user", coding: "gzip" }).bytes()).toString()).toBe(member);
  expect(await ask({ path: "/manifest.webmanifest" }).json()).toEqual({ name: 'North "wind"' });
  expect(await ask({ path: "/robots.txt" }).text()).toBe("Sitemap: https://b.example/sitemap.xml");
});

test("what browsers learn of the site can't end its element, and is nothing where no one has set anything", () => {
  const gaps: Gap[] = [[0, 0, "identity", "markup"]];
  expect(unsetValues().identity).toBe("");
  const name = "</script><script>alert(1)</script>";
  const tags = new TextDecoder().decode(
    fillGaps(new Uint8Array(), gaps, siteValues({ ...unsetSite, name }, "https://b.example")),
  );
  const [, json = ""] = /^<script[^>]*>([^<]*)<\/script>$/.exec(tags) ?? [];
  expect(JSON.parse(json).name).toBe(name);
});

test("another color comes as one style sheet that the policy allows by hash, and is nothing where no one has changed it", () => {
  const policy = "default-src 'none'; style-src 'self'; img-src 'self'";
  expect([unsetValues().look, withLook(policy, unsetValues())]).toEqual(["", policy]);
  const values = siteValues({ ...unsetSite, accent: "#ffcc00" }, "https://b.example");
  const [, css = ""] = /^<style>([^<]*)<\/style>$/.exec(values.look) ?? [];
  const hash = new Bun.CryptoHasher("sha256").update(css).digest("base64");
  expect(withLook(policy, values)).toBe(policy.replace("'self';", `'self' 'sha256-${hash}';`));
  expect(css).toContain(":root:root.dark{--primary:#ffcc00;");
  expect(css).not.toContain(":root:root{--primary:#ffcc00");
});

test("while no one may register uninvited, pages hide what leads there", async () => {
  const hidden = "<style>[data-unless=closed]{display:none}</style>";
  const look = async () => (await ask({ path: "/look" }).text()).includes(hidden);
  expect(await look()).toBe(false);
  isClosed = true;
  expect(await look()).toBe(true);
  isClosed = false;
  expect(await look()).toBe(false);
});

test("another page stands at a path while the settings say so; a legal text that is a URL leads there", async () => {
  const terms = async () => ask({ path: "/terms" });
  identity = { ...unsetSite, termsText: "Be *kind* <script>" };
  expect(await (await terms()).text()).toContain(">Be <em>kind</em> &lt;script&gt;</p>");
  identity = { ...unsetSite, termsText: "https://bücher.example/العربية", home: "/notes" };
  const { status, headers } = await terms();
  expect([status, headers.get("location")]).toEqual([
    302,
    "https://xn--bcher-kva.example/%D8%A7%D9%84%D8%B9%D8%B1%D8%A8%D9%8A%D8%A9",
  ]);
  expect(await ask({}).text()).toEndWith(rest);
  identity = unsetSite;
  expect(await (await terms()).text()).toContain("<h1>Atrium</h1>");
});

test("a home page that is gone leaves the landing page, in what browsers learn too", async () => {
  identity = { ...unsetSite, home: "/gone" };
  expect(await ask({}).text()).toBe(called("Atrium"));
  const told = async () => ask({ path: "/look" }).text();
  expect(await told()).not.toContain("/gone");
  identity = { ...unsetSite, home: "/notes" };
  expect(await told()).toContain('"variants":{"/":"/notes"}');
});

test("links of the site are text in its footer, whatever they are called", () => {
  const { social } = siteValues({ ...unsetSite, socialLinks: ['"><script> https://b.example/?a=1&b'] }, "");
  expect(social.replace(/ class="[^"]*"/, "")).toBe(
    '<li><a href="https://b.example/?a=1&#38;b" rel="me noopener">&#34;&#62;&#60;script&#62;</a></li>',
  );
});

test("a logo stands where sign and name are, in each theme its own, and an icon where the sign is", () => {
  const id = "0123456789abcdef".repeat(2);
  const lookOf = (images: Partial<typeof unsetSite>) => siteValues({ ...unsetSite, ...images }, "").look;
  const logo = `${id} full-90x30.svg email-96x32.png`;
  const both = lookOf({ logo, logoDark: `${id} full-900x30.png` });
  expect(both).toContain(
    `[data-brand=logo]{display:block;max-width:100%;height:1.75rem;width:5.25rem;background:url(/site/${id}/full-90x30.svg)`,
  );
  expect(both).toContain(
    `.dark [data-brand=logo]{display:block;max-width:100%;height:1.75rem;width:11rem;background:url(/site/${id}/full-900x30.png)`,
  );
  expect(both).toContain("[data-brand=words]{position:absolute;");
  expect(both).toContain("[data-brand=sign]{display:none}");
  const icon = `${id} icon-192x192.png`;
  expect(lookOf({ logo, icon })).toContain(`[data-brand=sign]{background:url(/site/${id}/icon-192x192.png)`);
  expect(lookOf({ icon })).not.toContain("logo");
});

test("links are shown with the site's card, once it has one or still has the built-in name", () => {
  const cardOf = (site: Partial<typeof unsetSite>) =>
    /og:image" content="([^"]*)"/.exec(siteValues({ ...unsetSite, ...site }, "https://b.example").card)?.[1];
  const card = `${"0123456789abcdef".repeat(2)} drawn-1200x630.png`;
  expect(cardOf({})).toBe("https://b.example/social-card.png");
  expect(cardOf({ name: "Northwind" })).toBeUndefined();
  expect(cardOf({ name: "Northwind", card })).toBe(`https://b.example/site/${card.replace(" ", "/")}`);
});
