import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { Elysia, t } from "elysia";
import { AppError } from "#api/core/app-error.ts";
import type { Door } from "#api/door/door.ts";
import { type PageServer, rememberedChoice } from "#api/http/pages/open-page.ts";
import { inertPolicy, sandboxPolicy } from "#api/http/security-headers.ts";
import { dataOf, failures, fileAnswer } from "#api/modules/fields.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { isPluginName } from "#contract/plugin-names.ts";
import { type AssetSource, assetPath } from "./asset-source.ts";
import { scopeCss } from "./scope-css.ts";

/** Source of the files: of plugins, and of the host for plugins. */
export type AssetParts = { assets: AssetSource; pages: PageServer };

const hash = /^[0-9a-f]{12}$/;

// A frame has an opaque origin, so everything is cross-site to it.
const forFrames = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** What browsers load for plugins: files of packages, the document of a frame, and the host's own scripts for both. */
export const pluginAssetRoutes = (door: Door, parts: () => AssetParts) =>
  new Elysia({ prefix: "/api" })
    .use(door)
    .get(
      "/plugins/:name/assets/:sha/*",
      ({ params, request }) => answerAsset(parts().assets, params, request),
      {
        access: "public",
        isShared: true,
        response: { 200: fileAnswer("*/*", "The file"), ...failures("NOT_FOUND") },
        detail: {
          summary: "Get a file of an enabled plugin's frontend",
          description:
            "For browsers. The URL contains a hash of the package, so that caches can keep the file " +
            "forever: a new version has new URLs. Scripts of a frontend that runs in a frame are not " +
            "served to pages of this site.",
          tags: ["Plugins"],
        },
      },
    )
    .get("/plugins/site-scripts", ({ set }) => answerSiteScripts(parts().assets, set), {
      access: "public",
      isShared: true,
      response: { 200: siteScripts },
      detail: {
        summary: "List scripts of plugins for every page",
        description:
          "For the pages of the interface: name, version and URL of each script that a running plugin " +
          "adds to all pages. Shared caches can keep the response for ten seconds; browsers ask each " +
          "time.",
        tags: ["Plugins"],
      },
    })
    .get("/plugins/:name/frame", ({ params, ctx }) => answerFrame(parts().assets, params.name, ctx.appUrl), {
      access: "public",
      isShared: true,
      response: { 200: fileAnswer("text/html", "The document"), ...failures("NOT_FOUND") },
      detail: {
        summary: "Get the document that an untrusted plugin's frontend runs in",
        description:
          "For browsers, as the source of an iframe. It has its own origin, so that it can't access " +
          "cookies, storage or the surrounding page, and it can't send requests: it asks the page for " +
          "what it needs. 404 for a plugin that has no frontend or is disabled.",
        tags: ["Plugins"],
      },
    })
    .get("/plugin-host/:file", ({ params, request }) => answerHostFile(parts().pages, params.file, request), {
      access: "public",
      isShared: true,
      response: { 200: fileAnswer("text/javascript", "The script"), ...failures("NOT_FOUND") },
      detail: {
        summary: "Get a script that plugins' frontends share with the host",
        description:
          "For browsers: loaded by plugins' frontends in a frame and in the host's window. 404 for any " +
          "other name.",
        tags: ["Plugins"],
      },
    });

const answerAsset = async (
  assets: AssetSource,
  { name, sha, "*": path }: { name: string; sha: string; "*": string },
  { headers }: Request,
): Promise<Response> => {
  const files = isPluginName(name) && hash.test(sha) ? await assets.open(name, sha) : null;
  if (files === null || !isPublicAsset(files.manifest, path) || !files.has(path))
    throw new AppError("NOT_FOUND");
  const type = assetType(path);
  const { frontend } = files.manifest;
  if (isScript(type) && frontend?.mode === "iframe" && path !== frontend.site && isForPage(headers))
    throw new AppError("NOT_FOUND");
  const make = async () => {
    const bytes = await files.read(path);
    if (bytes === null) throw new AppError("NOT_FOUND");
    // A sheet is put in its scope here: its text depends on the plugin's name alone.
    return type.startsWith("text/css") ? scopeCss(new TextDecoder().decode(bytes), name) : bytes;
  };
  const file = { key: `${name}/${sha}/${path}`, type, make };
  const body = await bodyOf(file, headers.get("accept-encoding"));
  return new Response(body.bytes, {
    headers: {
      ...forFrames,
      "content-type": type,
      ...(body.coding === null ? {} : { "content-encoding": body.coding }),
      "cache-control": "public, max-age=31536000, immutable",
      vary: isScript(type) ? "accept-encoding, sec-fetch-site" : "accept-encoding",
      "content-security-policy": sandboxPolicy,
    },
  });
};

const isScript = (type: string): boolean => /javascript|wasm/.test(type);

// A page's policy lets it run scripts of this origin; what belongs into a frame is asked for from a strange one.
const isForPage = (headers: Headers): boolean => headers.get("sec-fetch-site") === "same-origin";

const siteScripts = dataOf(
  t.Array(
    t.Object({ name: t.String(), version: t.String(), script: t.String({ description: "Its address" }) }),
  ),
);

const answerSiteScripts = (assets: AssetSource, set: { headers: Record<string, unknown> }) => {
  // A browser asks with each document, so that a plugin that was switched off is gone; caches on the way keep it for a moment.
  set.headers["cache-control"] = "public, max-age=0, s-maxage=10";
  return { success: true as const, data: assets.siteScripts() };
};

const answerFrame = async (assets: AssetSource, name: string, origin: string): Promise<Response> => {
  const files = isPluginName(name) ? await assets.current(name) : null;
  const frontend = files?.manifest.frontend ?? null;
  if (files === null || frontend === null) throw new AppError("NOT_FOUND");
  const { manifest, sha12 } = files;
  const { html, headers } = frameDocument({ manifest, frontend, sha12, origin });
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      // The policy of frames says the same more exactly, and wins where it is understood.
      "x-frame-options": "SAMEORIGIN",
      ...headers,
    },
  });
};

const answerHostFile = (pages: PageServer, file: string, request: Request): Response => {
  const response = pages.hostFile?.(file, request) ?? null;
  if (response === null) throw new AppError("NOT_FOUND");
  for (const [name, value] of Object.entries(forFrames)) response.headers.set(name, value);
  response.headers.set("content-security-policy", inertPolicy);
  return response;
};

const text = (type: string) => `${type}; charset=utf-8`;

const types: Record<string, string> = {
  js: text("text/javascript"),
  mjs: text("text/javascript"),
  css: text("text/css"),
  html: text("text/html"),
  txt: text("text/plain"),
  md: text("text/plain"),
  json: "application/json",
  map: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  ico: "image/x-icon",
  woff2: "font/woff2",
  woff: "font/woff",
  ttf: "font/ttf",
  wasm: "application/wasm",
};

/** The media type of a file by its extension; plain bytes if it is not listed. */
const assetType = (path: string): string => {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(types, extension)
    ? (types[extension] ?? "application/octet-stream")
    : "application/octet-stream";
};

/** Folders of a frontend's images, fonts and the like. */
const sharedFolder = "assets/";

/**
 * Whether a file of a package is public: those in the folders of its frontend. Its backend, manifest and signature are
 * not.
 */
export const isPublicAsset = ({ frontend, backend }: Manifest, path: string): boolean => {
  if (frontend === null || path === backend?.entry) return false;
  const entries = [frontend.entry, frontend.css, frontend.site].filter((entry) => entry !== null);
  if (entries.includes(path)) return true;
  const folders = entries.map((entry) => entry.slice(0, entry.lastIndexOf("/") + 1));
  return [...folders, sharedFolder].some((folder) => folder !== "" && path.startsWith(folder));
};

/** A body as it is sent; `coding` is `null` if it is not compressed. */
type KeptBody = { bytes: Uint8Array<ArrayBuffer>; coding: "br" | "gzip" | null };

/** A file at a URL whose content never changes. */
type FixedFile = { key: string; type: string; make(): Promise<Uint8Array | string> };

const mostKept = 60;
// A smaller file fits into a packet or two anyway.
const leastBytes = 1_024;
const isText = /^(?:text\/|application\/json|image\/svg)|javascript|wasm/;
const choose = rememberedChoice(["br", "gzip", "identity"]);
const compress = {
  // The best level takes ten times as long and saves only a twentieth.
  br: (bytes: Uint8Array): Promise<Uint8Array> =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => promisify(gzip)(bytes, { level: 9 }),
};

/** Makes and compresses each body once, off the server's own thread, and caches those requested last. */
export const createKeptBodies = (): ((
  file: FixedFile,
  acceptEncoding: string | null,
) => Promise<KeptBody>) => {
  const kept = new Map<string, Promise<KeptBody>>();
  return (file, acceptEncoding) => {
    const wanted = isText.test(file.type) ? choose(acceptEncoding) : "identity";
    const coding = wanted === "br" || wanted === "gzip" ? wanted : null;
    const key = `${coding} ${file.key}`;
    const known = kept.get(key);
    const body = known ?? makeBody(file, coding);
    kept.delete(key);
    kept.set(key, body);
    // It may be available in a moment.
    body.catch(() => kept.get(key) === body && kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return body;
  };
};

const makeBody = async ({ make }: FixedFile, coding: KeptBody["coding"]): Promise<KeptBody> => {
  const made = await make();
  const bytes = asBody(typeof made === "string" ? new TextEncoder().encode(made) : made);
  if (coding === null || bytes.byteLength < leastBytes) return { bytes, coding: null };
  return { bytes: asBody(await compress[coding](bytes)), coding };
};

/** Bytes in an unshared buffer, as the types require. */
const asBody = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

const bodyOf = createKeptBodies();

/** The document around an untrusted plugin's frontend, and the headers that isolate it. */
type FrameDocument = { html: string; headers: Record<string, string> };

type Frontend = NonNullable<Manifest["frontend"]>;
type FrameParts = { manifest: Manifest; frontend: Frontend; sha12: string; origin: string };

/**
 * The document of a plugin's iframe. It has its own origin, so that it can't access cookies, storage or its parent; it
 * loads the host's script, which loads the plugin's bundle, and can't send requests: it asks the host for what it
 * needs.
 */
const frameDocument = ({ manifest, frontend, sha12, origin }: FrameParts): FrameDocument => {
  const { name, version, title } = manifest;
  const at = (path: string) => Bun.escapeHTML(assetPath(name, sha12, path));
  const css = frontend.css === null ? "" : `<link rel="stylesheet" href="${at(frontend.css)}">`;
  const assets = origin + assetPath(name, sha12, "");
  return {
    html: [
      `<!doctype html><html lang="en" data-plugin="${name}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${Bun.escapeHTML(title)}</title>${css}</head><body><div id="app"></div>`,
      `<script data-name="${name}" data-version="${Bun.escapeHTML(version)}"`,
      ` data-entry="${at(frontend.entry)}">${start}</script></body></html>`,
    ].join(""),
    headers: {
      "content-security-policy": [reach(assets, origin + hostScript), beginning].join(", "),
      // Nothing but this server, by whatever way: what CSP leaves out, WebRTC and connections made beforehand, too. Wherever
      // browsers know it; the script sees to WebRTC in the others.
      "connection-allowlist": "(response-origin)",
    },
  };
};

const hostScript = "/api/plugin-host/frame.js";

/** The only script that documents may contain: it begins with the host's. */
const start = `document.body.append(Object.assign(document.createElement("script"),{type:"module",src:"${hostScript}"}))`;
const startHash = `'sha256-${new Bun.CryptoHasher("sha256").update(start).digest("base64")}'`;

/** Where scripts, styles and images may come from; nothing else can be reached. */
const reach = (assets: string, script: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${startHash} ${script} ${assets}`,
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
  ].join("; ");

/**
 * A second policy, which has to agree with everything too: scripts run that were started by others, and at the beginning stands
 * the host's. A document without an address of its own, which the plugin writes into a frame within its frame, inherits both;
 * it would otherwise load the plugin's files by itself, with all in reach that the host's script takes away first.
 */
const beginning = `script-src ${startHash} 'strict-dynamic'`;
