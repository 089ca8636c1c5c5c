import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, crc32, gzipSync } from "node:zlib";
import { deflateOpen } from "#api/http/pages/open-page.ts";
import type { BuiltPage, UiManifest } from "#api/http/pages/ui-manifest.ts";

/** How every page of {@link makeBuiltSite} ends, and the text of its scripts. */
export const tail = "</script></body></html>";
export const script = "console.log('an asset long enough to be worth compressing, compressing, compressing')";

/** A built user interface of a few pages and files in a folder of its own, until it is removed. */
export const makeBuiltSite = (): { dir: string; remove(): void } => {
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
