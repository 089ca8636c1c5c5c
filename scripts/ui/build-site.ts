/** Builds the user interface into the folder named as the only argument; run with NODE_ENV=production. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { renderPages } from "#ui/prerender.tsx";
import { bundleClient } from "./client-bundle.ts";
import { writeSite } from "./write-site.ts";

const [outDir] = process.argv.slice(2);
if (outDir === undefined || process.env.NODE_ENV !== "production") {
  throw new Error("expected a folder to build into, and NODE_ENV=production");
}
mkdirSync(dirname(outDir), { recursive: true });
const work = mkdtempSync(join(dirname(outDir), `.${basename(outDir)}-`));
try {
  const clientDir = join(work, "client");
  const siteDir = join(work, "site");
  const [client, pages] = await Promise.all([bundleClient(clientDir), renderPages()]);
  await writeSite({ clientDir, outDir: siteDir, client, pages });
  // Replaced as a whole at the end: a server that starts meanwhile finds the old build or the new one.
  rmSync(outDir, { recursive: true, force: true });
  renameSync(siteDir, outDir);
} finally {
  rmSync(work, { recursive: true, force: true });
}
