import { everyOwnElement } from "#api/http/pages/own-text.ts";
import { originMark } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { type ClientBundle, importMap } from "./client-bundle.ts";
import { isListed } from "./crawler-texts.ts";
import { criticalCss } from "./critical-css.ts";
import { escaped } from "./escaped.ts";

/** A page up to the place where the session goes in, and the policy that allows exactly its inline parts. */
export type PageHead = { html: string; csp: string };

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
export const hash = (text: string): string =>
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
