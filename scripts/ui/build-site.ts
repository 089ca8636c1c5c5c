/** Builds the user interface into the folder that is named, with `--quick` for a first start; run with NODE_ENV=production. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { renderPages } from "#ui/prerender.tsx";
import { bundleClient } from "./client-bundle.ts";
import { createShelf } from "./shelf.ts";
import { writeSite } from "./write-site.ts";

const [outDir, ...words] = process.argv.slice(2);
if (outDir === undefined || process.env.NODE_ENV !== "production") {
  throw new Error("expected a folder to build into, and NODE_ENV=production");
}
mkdirSync(dirname(outDir), { recursive: true });
const work = mkdtempSync(join(dirname(outDir), `.${basename(outDir)}-`));
// Also when it is broken off, as by the end of the server that it is built for.
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(143));
process.on("SIGINT", () => process.exit(130));
const clientDir = join(work, "client");
const siteDir = join(work, "site");
const [client, pages] = await Promise.all([bundleClient(clientDir), renderPages()]);
const shelf = createShelf(siteDir, words.includes("--quick"));
await writeSite({ clientDir, client, pages, shelf });
// Replaced as a whole at the end: a server that starts meanwhile finds the old build or the new one.
rmSync(outDir, { recursive: true, force: true });
renameSync(siteDir, outDir);
