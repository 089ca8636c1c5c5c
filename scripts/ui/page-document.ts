import { everyOwnElement } from "#api/http/pages/own-text.ts";
import { isGapName, markupGaps, unsetValues, writings } from "#api/http/pages/site-values.ts";
import { type Gap, originMark } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { type ClientBundle, importMap } from "./client-bundle.ts";
import { isListed } from "./crawler-texts.ts";
import { criticalCss } from "./critical-css.ts";
import { hashOf, type Shelf } from "./shelf.ts";
import type { Assets } from "./write-site.ts";

/** A page up to the place where the session goes in, and the policy that allows exactly its inline parts. */
type PageHead = { html: string; csp: string };

/** Who a document is for: only visitors share addresses and follow links from elsewhere. */
type Reader = "visitor" | "member" | "unsure";

/** Closes a page after the session. */
export const pageTail = "</script></body></html>";

/** The session of a visitor who is known not to be signed in. */
export const visitorSession = '{"user":null}';

type DocumentParts = { page: RenderedPage; reader: Reader; body: string; client: ClientBundle };

/** Puts a page's markup into a document whose first paint needs nothing else. */
export const pageHead = ({ page, reader, body, client }: DocumentParts): PageHead => {
  const { path, title, description, isEager, source } = page;
  const isShared = reader === "visitor" && isListed(page);
  const css = criticalCss(
    client.css,
    `<style></style>${body}${page.variant === undefined ? "" : everyOwnElement}`,
  );
  const chunks = client.chunksOf(source).join(" ");
  // Frontends of plugins are loaded in the admin area alone; the map has to come before any module.
  const isForPlugins = page.access === "admin";
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    description === null
      ? '<meta name="robots" content="noindex">'
      : `<meta name="description" content="${escaped(description)}">`,
    isShared && description !== null ? sharedTags(path, title, description) : "",
    appearance,
    isForPlugins ? `<script type="importmap">${importMap}</script>` : "",
    `<link rel="preload" href="${client.font}" as="font" type="font/woff2" crossorigin>`,
    `<script data-app="${client.app}" data-css="${client.stylesheet}" data-chunks="${chunks}"${isEager ? " data-eager" : ""}>`,
    `${client.boot}</script><style>${css}</style>${markOf("look")}${markOf("identity")}`,
    `<noscript><link rel="stylesheet" href="${client.stylesheet}"></noscript></head>`,
    `<body><div id="app">${body}</div><script type="application/json" id="atrium-session">`,
  ].join("");
  return { html, csp: policy(client.boot, css, isForPlugins) };
};

/**
 * Tags for the browser's own bars, tabs and home screens. The colors are `--background` of both themes; a script in the
 * head applies the chosen one.
 */
export const appearance = [
  '<meta name="theme-color" data-theme="light" media="(prefers-color-scheme: light)" content="#fcfbf9">',
  '<meta name="theme-color" data-theme="dark" media="(prefers-color-scheme: dark)" content="#11100e">',
  '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  '<link rel="manifest" href="/manifest.webmanifest">',
].join("");

const policy = (script: string, style: string, isForPlugins: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hash(script)}${isForPlugins ? ` ${hash(importMap)}` : ""}`,
    ...(isForPlugins ? ["frame-src 'self'"] : []),
    `style-src 'self' ${hash(style)}`,
    // Avatars are the one thing that comes from elsewhere.
    "img-src 'self' data: https://www.gravatar.com",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Allows one inline script or style in a policy. */
const hash = (text: string): string =>
  `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

/** What other sites show of a page, and its own public address. */
const sharedTags = (path: string, title: string, description: string): string => {
  const url = escaped(originMark + path);
  return [
    `<link rel="canonical" href="${url}">`,
    `<meta property="og:url" content="${url}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:site_name" content="${markedSite.name}">`,
    `<meta property="og:title" content="${escaped(title)}">`,
    `<meta property="og:description" content="${escaped(description)}">`,
    `<meta name="twitter:title" content="${escaped(title)}">`,
    `<meta name="twitter:description" content="${escaped(description)}">`,
    markOf("card"),
  ].join("");
};

/** Text escaped for HTML and XML, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/* What the documents beside the application, which loads nothing of theirs, are written with. */

const types = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
} as const;

/** Puts a text among the assets; gives its address back, while it is still being written. */
type Place = (extension: keyof typeof types, text: string) => string;

/** How a kind of pages adds the files that it alone loads; `prefix` is what their names begin with. */
export const placeIn =
  (shelf: Shelf, assets: Assets, prefix: string): Place =>
  (extension, text) => {
    const bytes = new TextEncoder().encode(text);
    const name = `assets/${prefix}${hashOf(bytes).slice(0, 8)}.${extension}`;
    const stored = shelf.storePacked(name, bytes);
    assets.set(
      `/${name}`,
      stored.then((file) => ({ ...file, type: types[extension], isImmutable: true })),
    );
    return `/${name}`;
  };

/** The policy of a document whose one script in place is `painting`; `images` says where those may come from. */
export const closedPolicy = (painting: string, images = "'self'"): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hash(painting)}`,
    "style-src 'self'",
    `img-src ${images}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** A document as it is for a site whose identity no one has set, and where it would be another one. */
type CutDocument = { bytes: Uint8Array<ArrayBuffer>; gaps: Gap[] };

// A mark as it is in text and attributes, and within a link's query.
const marks = /\ue000(\w+)\ue001|%EE%80%80(\w+)%EE%80%81/g;

/**
 * Cuts a document at its marks. Throws for a mark in a place without a rule, such as a script or a style sheet, for one of
 * an unknown name, and for one that was taken apart.
 */
export const cutGaps = (html: string): CutDocument => {
  for (const [element] of html.matchAll(/<(?:script|style)\b.*?<\/(?:script|style)>/gs))
    if (element.search(marks) >= 0) throw new Error(`a text of the site is in ${element.slice(0, 60)}…`);
  const values = unsetValues();
  const parts: Buffer[] = [];
  const gaps: Gap[] = [];
  let [at, end] = [0, 0];
  const add = (text: string): number => {
    const bytes = Buffer.from(text);
    parts.push(bytes);
    at += bytes.byteLength;
    return bytes.byteLength;
  };
  for (const { 0: mark, 1: plain, 2: encoded, index } of html.matchAll(marks)) {
    const name = plain ?? encoded ?? "";
    if (!isGapName(values, name)) throw new Error(`a document has a mark of the unknown name ${name}`);
    add(html.slice(end, index));
    const written = encoded === undefined ? "text" : "url";
    const kind = markupGaps.includes(name) ? "markup" : written;
    const start = at;
    gaps.push([start, add(writings[kind](values[name])), name, kind]);
    end = index + mark.length;
  }
  add(html.slice(end));
  const bytes = new Uint8Array(Buffer.concat(parts));
  if (/[\ue000\ue001]|%EE%80%8[01]/.test(new TextDecoder().decode(bytes)))
    throw new Error("a text of the site was taken apart");
  return { bytes, gaps };
};

/** Whether a document names its own address, which only the running server knows. */
export const isAddressed = ({ gaps }: CutDocument): boolean => gaps.some(([, , name]) => name === "origin");
