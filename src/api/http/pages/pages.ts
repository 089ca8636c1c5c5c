import { isDeepStrictEqual } from "node:util";
import { builtFolder, isExecutable } from "#api/db/bundled-files.ts";
import { isBelowPage, isBesidePage } from "#contract/page-paths.ts";
import { unsetSite } from "#contract/site.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { commonHeaders, inertPolicy } from "../security-headers.ts";
import { isFileName } from "./file-name.ts";
import { chooseOpenCoding, type LoadedFile, type LoadedPage, openSite, type Site } from "./load-site.ts";
import {
  closePage,
  heldAtOnce,
  heldWhenWanted,
  type LoadedOpenPage,
  type PageRequest,
  type PageServer,
  sessionText,
} from "./open-page.ts";

type PagesOptions = {
  /** The public origin: pages name their own address by it, and an https one adds HSTS. */
  appUrl: string;
  /** What the site is called at the moment; unless given, what no one has set. */
  identity?: () => SiteSettings;
  /** Whether no one may register uninvited at the moment. */
  isClosed?: () => boolean;
  /** The folder of the built user interface. */
  dir?: string;
  /** Whether it cannot change while this runs, as inside the executable. */
  isLasting?: boolean;
};

/**
 * Takes the built user interface into memory, where it cannot change no sooner than it is wanted, and answers everything
 * outside the API from there. Visitors get bytes that were compressed at build time, or once when the site is called
 * something else; who has a session gets the same page with the session put in, never cached. Without a build every
 * request is answered with how to make one.
 */
export const loadPages = ({
  appUrl,
  identity = () => unsetSite,
  isClosed = () => false,
  dir = builtFolder("ui"),
  isLasting = isExecutable,
}: PagesOptions): PageServer => {
  const { origin, protocol } = new URL(appUrl);
  const common = commonHeaders(protocol === "https:");
  const hold = isLasting ? heldWhenWanted : heldAtOnce;
  const open = hold(() => openSite({ dir, origin, common, isLasting }));
  const siteAs = (identity: SiteSettings, closed: boolean) => ({
    identity,
    closed,
    site: open()?.(identity, closed) ?? null,
  });
  let shown: ReturnType<typeof siteAs> | undefined;
  const held = (): Site | null => {
    const now = identity();
    const closed = isClosed();
    const before = shown?.closed === closed ? shown : undefined;
    // Settings are never changed in place.
    if (before?.identity === now) return before.site;
    const isSame = before !== undefined && isDeepStrictEqual(before.identity, now);
    shown = isSame ? { ...before, identity: now } : siteAs(now, closed);
    return shown.site;
  };
  if (!isLasting) held();
  const say = (status: number, text: string, headers: Record<string, string> = {}) =>
    new Response(text, {
      status,
      headers: {
        ...common,
        "content-security-policy": inertPolicy,
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        ...headers,
      },
    });
  const respond = (request: PageRequest): Response => {
    const { method, path } = request;
    const site = held();
    if (site === null) return say(503, notBuilt, { "retry-after": "10" });
    if (method !== "GET" && method !== "HEAD")
      return say(405, "Method Not Allowed\n", { allow: "GET, HEAD" });
    if (isAboutProgram(path) && site.docs !== "everybody") return forReaders(request, site);
    return answer(request, site);
  };
  /** What is about the program, where not everyone may read it. */
  const forReaders = (request: PageRequest, site: Site): Response => {
    const { path, user, isKnown, hasToken } = request;
    const isFile = isFileName(path);
    if (site.docs === "off")
      return isFile ? say(404, "Not Found\n") : sendPage(request, site, site.notFound, 404);
    if (!isKnown) return say(503, "Service Unavailable\n", { "retry-after": "10" });
    if (user === null && hasToken !== true)
      return isFile ? say(401, "Unauthorized\n") : redirect(say, 302, loginFor(request));
    if (site.docs === "admins" && user?.role === "user")
      return isFile ? say(403, "Forbidden\n") : redirect(say, 302, "/dashboard");
    const response = answer(request, site);
    response.headers.set("cache-control", "private, no-cache");
    response.headers.set("vary", "accept-encoding, cookie, authorization");
    return response;
  };
  const answer = (request: PageRequest, site: Site): Response => {
    const { path } = request;
    const link = site.links.get(path);
    if (link !== undefined) return redirect(say, 302, link);
    const asset = site.assets.get(path) ?? site.documents.get(path);
    if (asset !== undefined) return sendFile(request, asset, 200);
    const page = pageAt(site, path);
    if (page !== undefined) {
      const elsewhere = detour(request, page);
      return elsewhere === null ? sendPage(request, site, page, 200) : redirect(say, 302, elsewhere);
    }
    // Only towards a page that exists: "//elsewhere.example/" must not become a redirect to another host.
    const bare = path.endsWith("/") ? path.slice(0, -1) : path;
    if (bare !== path && (pageAt(site, bare) !== undefined || site.documents.has(bare))) {
      return redirect(say, 308, bare + request.search);
    }
    return isFileName(path) ? say(404, "Not Found\n") : sendPage(request, site, site.notFound, 404);
  };
  return {
    respond,
    isForSome: (path) => isAboutProgram(path) && identity().docs !== "everybody",
    loadsOf: (path) => {
      const site = held();
      return (site === null ? null : pageAt(site, path)?.loads) ?? null;
    },
    hostFile: (name, request) => {
      const file = held()?.hostFiles.get(name);
      return file === undefined ? null : sendFile(request, file, 200);
    },
  };
};

/** The page at an exact path, or the one for all paths below a folder. */
const pageAt = (site: Site, path: string): LoadedPage | undefined => {
  const page = site.pages.get(path);
  if (page !== undefined) return page;
  const folder = site.folders.find((wanted) => isBelowPage(path, wanted));
  return folder === undefined ? undefined : site.pages.get(folder);
};

/** Whether something is about the program: its documentation with the index for searching, and the description of the API. */
const isAboutProgram = (path: string): boolean =>
  isBesidePage(path) || /^\/(?:llms\.txt|assets\/docs-[\w-]+\.json)$/.test(path);

const notBuilt = "The user interface is not built. Build it with: bun run build ui\n";

type Say = (status: number, text: string, headers: Record<string, string>) => Response;

const redirect = (say: Say, status: number, location: string): Response =>
  say(status, "", { location, vary: "cookie" });

const loginFor = ({ path, search }: PageRequest): string =>
  `/login?from=${encodeURIComponent(path + search)}`;

/** Where a reader is redirected instead of a page, or `null`. While it is unknown who is reading, no one is redirected. */
const detour = (request: PageRequest, { access }: LoadedPage): string | null => {
  const { path, user, isKnown } = request;
  if (!isKnown) return null;
  if (user === null) return access === "public" ? null : loginFor(request);
  if (path === "/login" || (access === "admin" && user.role !== "admin")) return "/dashboard";
  return null;
};

const sendPage = (request: PageRequest, site: Site, page: LoadedPage, status: number): Response => {
  const { user, isKnown } = request;
  if (user === null && isKnown && page.visitor !== null) return sendFile(request, page.visitor, status);
  if (user !== null) return sendOpen(request, page.member, sessionText({ user }) + site.tail, status);
  // Without the answer in it, a guarded page shows the gate and asks; a public page asks behind the reader's back.
  const session = page.access === "public" ? sessionText({ user: null, isCertain: false }) : "";
  return sendOpen(request, page.unsure, session + site.tail, status);
};

type FileRequest = Pick<PageRequest, "method" | "headers">;

/** Sends a file, or says that the reader has it already. */
export const sendFile = ({ method, headers }: FileRequest, file: LoadedFile, status: number): Response => {
  const form = file.choose(headers.get("accept-encoding"));
  const known = status === 200 ? headers.get("if-none-match") : null;
  if (known !== null && isNamed(known, form.etag))
    return new Response(null, { status: 304, headers: form.headers });
  return send(method, form.bytes, form.headers, status);
};

const sendOpen = (request: PageRequest, page: LoadedOpenPage, end: string, status: number): Response => {
  const wanted = chooseOpenCoding(request.headers.get("accept-encoding"));
  const { bytes, headers } = closePage(page, end, wanted);
  return send(request.method, bytes, headers, status);
};

const send = (
  method: string,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  status: number,
): Response => {
  if (method === "GET") return new Response(bytes, { status, headers });
  return new Response(null, { status, headers: { ...headers, "content-length": String(bytes.byteLength) } });
};

/** Whether an `If-None-Match` header names the entity tag; weak marks do not matter here. Source: RFC 9110 §13.1.2. */
const isNamed = (header: string, etag: string): boolean =>
  header === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
