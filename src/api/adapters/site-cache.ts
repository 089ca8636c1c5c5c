import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SiteCache } from "#api/core/settings.ts";
import { storedValues } from "#contract/define-settings.ts";
import { unsetSite } from "#contract/site.ts";
import { siteSettings } from "#contract/site-settings.ts";

/** Keeps what the site is called in a file, for a start at which the settings can't be read. */
export const createSiteCache = (path: string): SiteCache => {
  const read = (): SiteCache["kept"] => {
    try {
      return storedValues(siteSettings, JSON.parse(readFileSync(path, "utf8"))) ?? unsetSite;
    } catch {
      // No one has named the site yet, or the file is damaged: it is only a copy.
      return unsetSite;
    }
  };
  const cache = {
    kept: read(),
    keep: (site: SiteCache["kept"]): void => {
      if (isDeepStrictEqual(site, cache.kept)) return;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify(site), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      cache.kept = site;
    },
  };
  return cache;
};
