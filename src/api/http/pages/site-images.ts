import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import {
  type ImageFile,
  imageFile,
  imageFiles,
  imageFolder,
  imageFor,
  imageTypes,
  objectKeyOf,
  siteImages,
} from "#contract/site-images.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { commonHeaders, sandboxPolicy } from "../security-headers.ts";
import type { PageRequest } from "./open-page.ts";
import { sendFile } from "./pages.ts";

/** Answers requests for images of the site's identity; `null` for every other path, and where an admin has uploaded none. */
export type SiteImages = (
  request: Pick<PageRequest, "method" | "path" | "headers">,
) => Promise<Response> | null;

type Parts = Pick<Services, "objects" | "log"> & { site: () => SiteSettings; isHttps: boolean };

/** Where browsers look for images of their own accord, and which file of which image belongs there. */
const standing: Readonly<Record<string, (site: SiteSettings) => ImageFile | null>> = {
  "/favicon.ico": ({ icon }) => imageFor(icon, "icon", 32),
  "/favicon.svg": ({ icon }) =>
    imageFiles(icon).find(({ type }) => type === "svg") ?? imageFor(icon, "icon", 192),
  "/apple-touch-icon.png": ({ icon }) => imageFor(icon, "maskable", 180),
  "/icon-192.png": ({ icon }) => imageFor(icon, "icon", 192),
  "/icon-512.png": ({ icon }) => imageFor(icon, "icon", 512),
  "/icon-maskable-192.png": ({ icon }) => imageFor(icon, "maskable", 192),
  "/icon-maskable-512.png": ({ icon }) => imageFor(icon, "maskable", 512),
  "/social-card.png": ({ card }) => imageFiles(card)[0] ?? null,
};

// A page of the admin area shows some at once before they are saved.
const mostWaiting = 16;

/**
 * Keeps the files that pages name at the moment in memory, once someone has asked for them. Others, which a page named that
 * someone still has open, are read one at a time: no one can have the storage asked for whatever they think of.
 */
export const createSiteImages = ({ objects, log, site, isHttps }: Parts): SiteImages => {
  const common = {
    ...commonHeaders(isHttps),
    "content-security-policy": sandboxPolicy,
    // Mail programs and other sites show them.
    "cross-origin-resource-policy": "cross-origin",
  };
  const held = new Map<string, Promise<Uint8Array<ArrayBuffer> | null>>();
  let shown: SiteSettings | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const read = async (file: ImageFile) => {
    const bytes = await objects.get(objectKeyOf(file));
    return bytes === null ? null : new Uint8Array(bytes);
  };
  /** The bytes of a file that pages name; forgotten with the settings that name it, and where they could not be read. */
  const readHeld = (file: ImageFile) => {
    const found = held.get(file.address) ?? read(file);
    held.set(file.address, found);
    found.catch(() => held.delete(file.address));
    return found;
  };
  const readOther = async (file: ImageFile) => {
    if (waiting >= mostWaiting) return null;
    waiting += 1;
    const found = last
      .then(() => read(file))
      .finally(() => {
        waiting -= 1;
      });
    last = found.catch(() => {});
    return found;
  };
  const isShown = (file: ImageFile): boolean => {
    const now = site();
    const all = () => namesOf(now).flatMap((name) => imageFiles(now[name]));
    if (now !== shown) {
      const addresses = new Set(all().map(({ address }) => address));
      for (const address of held.keys()) if (!addresses.has(address)) held.delete(address);
      shown = now;
    }
    return all().some(({ address }) => address === file.address);
  };

  return (request) => {
    const { method, path } = request;
    if (method !== "GET" && method !== "HEAD") return null;
    const isNamed = path.startsWith(imageFolder);
    const file = isNamed ? imageFile(path) : (standing[path]?.(site()) ?? null);
    if (file === null) return null;
    const found = isShown(file) ? readHeld(file) : readOther(file);
    return found.then(
      (bytes) => {
        if (bytes === null) return plain(404, "Not Found\n", common);
        const isWrapped = path === "/favicon.svg" && file.type !== "svg";
        const headers = {
          ...common,
          etag: `"${file.address.slice(imageFolder.length)}${isWrapped ? "-svg" : ""}"`,
          "content-type": isWrapped ? imageTypes.svg : imageTypes[file.type],
          "cache-control": isNamed ? "public, max-age=31536000, immutable" : "public, no-cache",
        };
        const form = { bytes: isWrapped ? wrapped(file, bytes) : bytes, etag: headers.etag, headers };
        return sendFile(request, { choose: () => form }, 200);
      },
      (error: unknown) => {
        log.warn("an image of the site could not be read", { error: describeError(error) });
        return plain(503, "Service Unavailable\n", { ...common, "retry-after": "10" });
      },
    );
  };
};

const namesOf = (site: SiteSettings) =>
  Object.keys(siteImages).filter((name): name is keyof typeof siteImages => name in site);

const plain = (status: number, text: string, headers: Record<string, string>) =>
  new Response(text, {
    status,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

/** An image as SVG, for the browsers that prefer the address of one. */
const wrapped = ({ width, height, type }: ImageFile, bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const source = `data:${imageTypes[type]};base64,${Buffer.from(bytes).toString("base64")}`;
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="${source}"/></svg>`,
  );
};
