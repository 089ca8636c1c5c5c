import { crc32 } from "node:zlib";
import { deflateOpen } from "#api/http/pages/open-page.ts";
import type { BuiltPage, ClosedPage, OpenPage } from "#api/http/pages/ui-manifest.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import type { ClientBundle } from "./client-bundle.ts";
import { cutGaps, isAddressed } from "./cut-gaps.ts";
import { pageHead, pageTail, visitorSession } from "./page-document.ts";
import { hashOf, type Shelf } from "./shelf.ts";

type PageJob = { page: RenderedPage; client: ClientBundle; shelf: Shelf };

/** Writes one page in every form in which it is sent: for visitors whole, for others open for their session. */
export const writePage = async ({ page, client, shelf }: PageJob): Promise<BuiltPage> => {
  const at = `home${page.path}`.replace(/\/$/, "") + (page.variant === undefined ? "" : `_${page.variant}`);
  const name = `pages/${page.path === "*" ? "not-found" : at.replaceAll("/", ".")}`;
  const open = (reader: "member" | "unsure", body: string): OpenPage => {
    const { html, csp } = pageHead({ page, reader, body, client });
    const { bytes, gaps } = cutGaps(html);
    // Named by what it holds: pages of plugins differ in their path alone, which is not in it.
    const head = shelf.write(`pages/${hashOf(bytes)}.html`, bytes);
    return {
      head,
      headDeflated: shelf.write(`${head}.deflate`, deflateOpen(bytes)),
      headCrc: crc32(bytes),
      csp,
      gaps,
    };
  };
  const built: BuiltPage = {
    access: page.access,
    loads: { scripts: client.chunksOf(page.source), styles: [client.stylesheet] },
    member: open("member", page.member),
    unsure: open("unsure", page.unsure),
  };
  if (page.visitor === null) return built;
  const { html, csp } = pageHead({ page, reader: "visitor", body: page.visitor, client });
  const visitor = await storeClosed(`${name}.html`, html + visitorSession + pageTail, shelf);
  return { ...built, visitor: { ...visitor, csp } };
};

const storeClosed = async (name: string, html: string, shelf: Shelf): Promise<Omit<ClosedPage, "csp">> => {
  const cut = cutGaps(html);
  const { bytes, gaps } = cut;
  if (!isAddressed(cut)) return { ...(await shelf.store(name, bytes, false)), gaps };
  const files = { identity: shelf.write(name, bytes) };
  return { type: "text/html; charset=utf-8", etag: hashOf(bytes), isImmutable: false, files, gaps };
};
