import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unsetSite } from "#contract/site.ts";
import { openSite } from "./load-site.ts";
import { deflateOpen } from "./open-page.ts";
import type { UiManifest } from "./ui-manifest.ts";

test("where a build can happen meanwhile, all files are read immediately; otherwise each when it is first needed", () => {
  const dir = mkdtempSync(join(tmpdir(), "atrium-site-"));
  const put = (name: string, bytes: string | Uint8Array) => writeFileSync(join(dir, name), bytes);
  const open = { headDeflated: "head", headCrc: 0, csp: "", gaps: [] };
  const page = { access: "user" as const, loads: { scripts: [], styles: [] }, member: open, unsure: open };
  const icon = { type: "image/svg+xml", etag: "svg", isImmutable: false, files: { identity: "icon" } };
  const manifest: UiManifest = {
    ...{ assets: { "/icon.svg": icon }, texts: {}, pages: { "/": page }, notFound: page, tail: "" },
  };
  const load = (isLasting: boolean) =>
    openSite({ dir, origin: "http://localhost", common: {}, isLasting })?.(unsetSite) ?? null;
  const seen = (site: ReturnType<typeof load>) => [
    Buffer.from(site?.assets.get("/icon.svg")?.choose(null).bytes ?? []).toString(),
    Buffer.from(site?.pages.get("/")?.member.head ?? []).toString(),
  ];
  const write = (version: string) => {
    put("icon", version);
    put("head", deflateOpen(Buffer.from(version)));
  };
  try {
    put("manifest.json", JSON.stringify(manifest));
    write("1");
    const [changing, lasting] = [load(false), load(true)];
    write("2");
    expect(seen(changing)).toEqual(["1", "1"]);
    expect(seen(lasting)).toEqual(["2", "2"]);
    write("3");
    expect(seen(lasting)).toEqual(["2", "2"]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
