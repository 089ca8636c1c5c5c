import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants, deflateRawSync, gunzipSync } from "node:zlib";
import { loadPages } from "#api/http/pages/pages.ts";
import { uncompressedBlock } from "./open-page.ts";
import type { BuiltPage, OpenPage, UiManifest } from "./ui-manifest.ts";

const head = "<!doctype html><title>Home</title>";
const rest = "<body>the whole page</body>";
const roomBytes = 128;
// An empty last block: what every brotli stream may end with. Source: RFC 7932 §9.2.
const lastBlock = Uint8Array.of(3);

let dir = "";

const put = (name: string, bytes: string | Uint8Array): string => {
  writeFileSync(join(dir, name), bytes);
  return name;
};

const open = (): OpenPage => ({ head: put("open", head), headDeflated: "open", headCrc: 0, csp: "" });

const site = (): UiManifest => {
  const home: BuiltPage = {
    access: "public",
    loads: { scripts: [], styles: [] },
    member: open(),
    unsure: open(),
    visitor: {
      type: "text/html; charset=utf-8",
      csp: "default-src 'none'",
      tags: '<link rel="canonical" href="{origin}/">',
      roomBytes,
      before: {
        identity: put("before", head),
        deflate: put("before.deflate", deflateRawSync(head, { finishFlush: constants.Z_SYNC_FLUSH })),
        br: put("before.br", brotliCompressSync(head, { finishFlush: constants.BROTLI_OPERATION_FLUSH })),
      },
      after: {
        identity: put("after", rest),
        deflate: put("after.deflate", deflateRawSync(rest)),
        br: put("after.br", Buffer.concat([uncompressedBlock(Buffer.from(rest)), lastBlock])),
      },
    },
  };
  const texts = {
    "/robots.txt": { type: "text/plain; charset=utf-8", text: "Sitemap: {origin}/sitemap.xml\n" },
  };
  return { assets: {}, texts, pages: { "/": home }, notFound: home, tail: "" };
};

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "atrium-addressed-"));
  put("manifest.json", JSON.stringify(site()));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ask = (appUrl: string, headers: Record<string, string> = {}, path = "/"): Response =>
  loadPages({ appUrl, dir }).respond({
    method: "GET",
    path,
    search: "",
    headers: new Headers(headers),
    user: null,
    isKnown: true,
  });

const long = `https://${"a".repeat(60)}.${"b".repeat(60)}.example`;

describe("a page that names its own address", () => {
  for (const appUrl of ["http://localhost:3000", "https://atrium.example"]) {
    test(`says ${appUrl} in every coding`, async () => {
      const plain = await ask(appUrl).text();
      expect(plain).toBe(head + `<link rel="canonical" href="${appUrl}/">`.padEnd(roomBytes, " ") + rest);
      const gzip = ask(appUrl, { "accept-encoding": "gzip" });
      expect(gzip.headers.get("content-encoding")).toBe("gzip");
      expect(gunzipSync(await gzip.bytes()).toString()).toBe(plain);
      const brotli = ask(appUrl, { "accept-encoding": "gzip, br" });
      expect(brotli.headers.get("content-encoding")).toBe("br");
      expect(brotliDecompressSync(await brotli.bytes()).toString()).toBe(plain);
    });
  }

  test("has another entity tag under another address, and the same one for the same bytes", () => {
    const tag = (appUrl: string, coding: string) =>
      ask(appUrl, { "accept-encoding": coding }).headers.get("etag") ?? "";
    expect(tag("https://a.example", "br")).toBe(tag("https://a.example", "br"));
    const all = ["https://a.example", "https://b.example"].flatMap((appUrl) => [
      tag(appUrl, "br"),
      tag(appUrl, "gzip"),
      tag(appUrl, ""),
    ]);
    expect(new Set(all).size).toBe(6);
    const again = ask("https://a.example", {
      "accept-encoding": "br",
      "if-none-match": tag("https://a.example", "br"),
    });
    expect(again.status).toBe(304);
  });

  test("is complete, in gzip and plain, under an address that is too long for the reserved space", async () => {
    const answer = ask(long, { "accept-encoding": "br, gzip;q=0.5" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const text = gunzipSync(await answer.bytes()).toString();
    expect(text).toBe(`${head}<link rel="canonical" href="${long}/">${rest}`);
    expect(await ask(long).text()).toBe(text);
  });
});

test("a text for crawlers names the public address", async () => {
  const answer = ask("https://atrium.example", {}, "/robots.txt");
  expect(await answer.text()).toBe("Sitemap: https://atrium.example/sitemap.xml\n");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.headers.get("etag")).not.toBe(
    ask("https://b.example", {}, "/robots.txt").headers.get("etag"),
  );
});
