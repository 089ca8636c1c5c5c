import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { UiManifest } from "#api/http/pages/ui-manifest.ts";
import { projectRoot } from "./project-root.ts";
import { bundleClient } from "./ui/client-bundle.ts";
import { renderPages } from "./ui/render-pages.ts";
import { writeSite } from "./ui/write-site.ts";

/** Where the server finds the user interface. */
export const uiDir = join(projectRoot, "dist/ui");

/**
 * Bundles the user interface, renders its pages ahead of time and lays everything out compressed in `outDir`. The
 * folder is replaced as a whole at the end: a server that starts meanwhile sees the old one or the new one.
 */
export const buildUi = async (outDir: string = uiDir): Promise<UiManifest> => {
  mkdirSync(join(projectRoot, "dist"), { recursive: true });
  const work = mkdtempSync(join(projectRoot, "dist", ".ui-"));
  try {
    const clientDir = join(work, "client");
    const [client, pages] = await Promise.all([bundleClient(clientDir), renderPages()]);
    const manifest = writeSite({ clientDir, outDir: join(work, "site"), client, pages });
    rmSync(outDir, { recursive: true, force: true });
    renameSync(join(work, "site"), outDir);
    return manifest;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
