import { hash } from "./page-document.ts";
import { hashOf, type Shelf } from "./shelf.ts";
import type { Assets } from "./write-site.ts";

/* What the documents beside the application, which loads nothing of theirs, are written with. */

const types = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
} as const;

/** Puts a text among the assets; gives its address back, while it is still being written. */
export type Place = (extension: keyof typeof types, text: string) => string;

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
