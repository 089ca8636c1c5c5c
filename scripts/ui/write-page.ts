import { crc32, deflateRawSync } from "node:zlib";
import type { AddressedPage, BuiltPage, ClosedPage, OpenPage } from "#api/http/pages/ui-manifest.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import type { ClientBundle } from "./client-bundle.ts";
import { deflateOpen, splitBrotli } from "./compress.ts";
import { addressRoomBytes, type PageHead, pageHead, pageTail, visitorSession } from "./page-document.ts";
import type { Shelf } from "./shelf.ts";

type PageJob = { page: RenderedPage; client: ClientBundle; shelf: Shelf };

const encoder = new TextEncoder();

/** Writes one page in every form in which it is sent: for visitors whole, for others open for their session. */
export const writePage = async ({ page, client, shelf }: PageJob): Promise<BuiltPage> => {
  const base = page.path === "*" ? "not-found" : `home${page.path}`.replace(/\/$/, "").replaceAll("/", ".");
  const name = `pages/${base}`;
  const open = (reader: "member" | "unsure", body: string): OpenPage => {
    const { before, after, csp } = pageHead({ page, reader, body, client });
    const bytes = encoder.encode(before + after);
    const head = shelf.write(`${name}.${reader}.html`, bytes);
    return {
      head,
      headDeflated: shelf.write(`${head}.deflate`, deflateOpen(bytes)),
      headCrc: crc32(bytes),
      csp,
    };
  };
  const built: BuiltPage = {
    access: page.access,
    loads: { scripts: client.chunksOf(page.source), styles: [client.stylesheet] },
    member: open("member", page.member),
    unsure: open("unsure", page.unsure),
  };
  if (page.visitor === null) return built;
  const head = pageHead({ page, reader: "visitor", body: page.visitor, client });
  const visitor = await (head.tags === "" ? closed(name, head, shelf) : addressed(name, head, shelf));
  return { ...built, visitor };
};

const closed = async (name: string, { before, after, csp }: PageHead, shelf: Shelf): Promise<ClosedPage> => {
  const whole = encoder.encode(before + after + visitorSession + pageTail);
  return { ...(await shelf.store(`${name}.html`, whole, false)), csp };
};

const addressed = async (name: string, head: PageHead, { write }: Shelf): Promise<AddressedPage> => {
  const before = encoder.encode(head.before);
  const after = encoder.encode(head.after + visitorSession + pageTail);
  const br = await splitBrotli(before, after, addressRoomBytes);
  return {
    type: "text/html; charset=utf-8",
    csp: head.csp,
    tags: head.tags,
    roomBytes: addressRoomBytes,
    before: {
      identity: write(`${name}.before.html`, before),
      deflate: write(`${name}.before.html.deflate`, deflateOpen(before)),
      br: write(`${name}.before.html.br`, br.before),
    },
    after: {
      identity: write(`${name}.after.html`, after),
      deflate: write(`${name}.after.html.deflate`, deflateRawSync(after, { level: 9 })),
      br: write(`${name}.after.html.br`, br.after),
    },
  };
};
