import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { inflateOpen } from "#api/http/pages/open-page.ts";
import { fillGaps, siteValues } from "#api/http/pages/site-values.ts";
import type { BuiltPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { unsetSite } from "#contract/site.ts";
import { builtUi, uiDir } from "../measure/built-ui.ts";
import { decimal } from "../report.ts";
import type { BenchLine } from "./bench-line.ts";

/** Budgets in bytes, compressed with brotli: the document with its styles, the script in it, all scripts and styles. */
const budgets = { document: 14_000, boot: 2_000 };

/** What a browser loads of each page, from the build. */
export const pagesLine: BenchLine = {
  name: "pages",
  run: async () => {
    const manifest = builtUi();
    const pages = [...Object.entries(manifest.pages), ["not found", manifest.notFound] as const];
    return {
      title: "Bytes of each page",
      method:
        "Compressed with brotli. The document holds its markup, its critical styles and the boot script, and is all " +
        "that a first visit needs to be readable; scripts and the whole stylesheet follow when the browser is idle or " +
        "at the first touch.",
      columns: ["", "document", "goal", "of it boot script", "goal", "scripts after", "styles after"],
      rows: pages.map(([path, page]) => rowOf(path, page, manifest)),
    };
  },
};

const rowOf = (path: string, page: BuiltPage, manifest: UiManifest): string[] => {
  const html = documentOf(page, manifest.tail);
  const boot = /<script data-app[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
  const names = /data-chunks="([^"]*)"/.exec(html)?.[1]?.split(" ") ?? [];
  const styles = /data-css="([^"]*)"/.exec(html)?.[1] ?? "";
  const scriptBytes = [...new Set(names)].reduce((sum, name) => sum + assetBytes(manifest, name), 0);
  return [
    path,
    decimal(brotliBytes(html)),
    `≤ ${decimal(budgets.document)}`,
    decimal(brotliBytes(boot)),
    `≤ ${decimal(budgets.boot)}`,
    decimal(scriptBytes),
    decimal(assetBytes(manifest, styles)),
  ];
};

const documentOf = ({ visitor, member }: BuiltPage, tail: string): string => {
  if (visitor === undefined)
    return inflateOpen(readFileSync(join(uiDir, member.headDeflated))).toString() + tail;
  const values = siteValues(unsetSite, "https://atrium.example");
  const bytes = readFileSync(join(uiDir, visitor.files.identity));
  return new TextDecoder().decode(fillGaps(bytes, visitor.gaps, values));
};

const assetBytes = ({ assets }: UiManifest, name: string): number => {
  const file = assets[name];
  if (!file) throw new Error(`the build names ${name} and does not hold it`);
  return readFileSync(join(uiDir, file.files.br ?? file.files.identity)).byteLength;
};

const brotliBytes = (text: string): number => brotliCompressSync(text).byteLength;
