import type { RenderedPage } from "#ui/prerender.tsx";
import type { ClientBundle } from "./client-bundle.ts";
import { criticalCss } from "./critical-css.ts";

/** A page up to the place where the session goes in, and the policy that allows exactly its inline parts. */
export type PageHead = { head: string; csp: string };

/** Closes a page after the session. */
export const pageTail = "</script></body></html>";

/** The session of a reader who is known to be nobody. */
export const visitorSession = '{"user":null}';

/** Puts a page's markup into a document whose first paint needs nothing else. */
export const pageHead = (page: RenderedPage, body: string, client: ClientBundle): PageHead => {
  const { title, description, isEager, source } = page;
  const css = criticalCss(client.css, `<style></style>${body}`);
  const chunks = client.chunksOf(source).join(" ");
  const head = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    description === null
      ? '<meta name="robots" content="noindex">'
      : `<meta name="description" content="${escaped(description)}">`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<link rel="preload" href="${client.font}" as="font" type="font/woff2" crossorigin>`,
    `<script data-app="${client.app}" data-css="${client.stylesheet}" data-chunks="${chunks}"${isEager ? " data-eager" : ""}>`,
    `${client.boot}</script><style>${css}</style>`,
    `<noscript><link rel="stylesheet" href="${client.stylesheet}"></noscript></head>`,
    `<body><div id="app">${body}</div><script type="application/json" id="atrium-session">`,
  ].join("");
  return { head, csp: policy(client.boot, css) };
};

const policy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hash(script)}`,
    `style-src 'self' ${hash(style)}`,
    // Avatars are the one thing that comes from elsewhere.
    "img-src 'self' data: https://www.gravatar.com",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const hash = (text: string): string =>
  `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
