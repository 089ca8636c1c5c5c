import type { BuiltFile, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { compressAll } from "./compress.ts";
import { hash } from "./page-document.ts";
import { hashOf, type Write } from "./write-site.ts";

/* What the documents beside the application, which loads nothing of theirs, are written with. */

const types = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
} as const;

/** Puts a text among `assets`; resolves to its address. */
export type Place = (extension: keyof typeof types, text: string) => string;

type OwnFiles = {
  write: Write;
  assets: UiManifest["assets"];
  /** What the names of these pages' own files begin with. */
  prefix: string;
};

/** How a kind of pages adds the files that it alone loads. */
export const placeIn =
  ({ write, assets, prefix }: OwnFiles): Place =>
  (extension, text) => {
    const bytes = new TextEncoder().encode(text);
    const name = `assets/${prefix}${hashOf(bytes).slice(0, 8)}.${extension}`;
    assets[`/${name}`] = { ...storePacked(write, name, bytes), type: types[extension], isImmutable: true };
    return `/${name}`;
  };

/** Keeps two forms of a file: of those that are many or large, each form more would be felt in the executable. */
export const storePacked = (
  write: Write,
  name: string,
  bytes: Uint8Array,
): Omit<BuiltFile, "type" | "isImmutable"> => {
  const coded = compressAll(bytes);
  const form = (coding: "br" | "gzip") => write(`${name}.${coding}`, coded.get(coding) ?? bytes);
  const gzip = form("gzip");
  return { etag: hashOf(bytes), isPacked: true, files: { br: form("br"), gzip, identity: gzip } };
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
