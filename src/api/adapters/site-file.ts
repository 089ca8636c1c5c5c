import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Log } from "#api/core/log.ts";
import { isHomeGone, type SettingsService, type SiteCache } from "#api/core/settings.ts";
import { isRecord, storedValues, withChange } from "#contract/define-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { unsetSite } from "#contract/site.ts";
import { type SiteSettings, siteSettings } from "#contract/site-settings.ts";

/**
 * What the file that `SITE_FILE` names says of the site: its fields can't be changed elsewhere. A field with a mistake has
 * the value of `kept`, what the file set at the last start; one that it did not set is left to admins. So are all if the
 * file can't be read. The log says what is wrong, and in which line.
 */
export const readSiteFile = (
  path: string | null,
  { kept, log, ...pages }: { kept: Partial<SiteSettings>; log: Log } & Pick<SettingsService, "homePages">,
): Partial<SiteSettings> => {
  if (path === null) return {};
  const refuse = (isKept: boolean, reason: string, line?: number) =>
    log.error(`SITE_FILE has a mistake: ${isKept ? "its former value stays" : "what admins set applies"}`, {
      file: path,
      ...(line === undefined ? {} : { line }),
      reason,
    });
  const hasKept = Object.keys(kept).length > 0;
  let text = "";
  let given: unknown;
  try {
    text = readFileSync(path, "utf8");
    given = JSON.parse(text);
  } catch (error) {
    refuse(
      hasKept,
      error instanceof Error ? error.message : String(error),
      text === "" ? undefined : membersIn(text).end,
    );
    return kept;
  }
  if (!isRecord(given)) {
    refuse(hasKept, 'expected an object, such as {"name": "Northwind"}');
    return kept;
  }
  const { lines } = membersIn(text);
  const fields = new Map(siteSettings.settings);
  const values = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const kind = fields.get(name)?.kind;
    const isKnown = kind !== undefined;
    const { values: next, errors } = withChange(siteSettings, siteSettings.defaults, { [name]: value });
    const isGone = name === "home" && isHomeGone(value, pages);
    const refusal = isGone ? settingsTexts.noHomePage(value.trim()) : errors[0]?.message;
    const wrong = kind === "image" ? imagesElsewhere : refusal;
    const complaint = isKnown ? wrong : unknownName;
    if (complaint === undefined) return [[name, Reflect.get(next, name)]];
    const isKept = isKnown && Object.hasOwn(kept, name);
    refuse(isKept, `${name}: ${complaint}`, lines.get(name));
    return isKept ? [[name, Reflect.get(kept, name)]] : [];
  });
  // All of them are values that their settings accept.
  return Object.fromEntries(values) as Partial<SiteSettings>;
};

const unknownName = "no setting of the site has this name";
const imagesElsewhere = "images are uploaded, not named in the file";

const value = /(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)/.source;
const values = String.raw`\[\s*(?:${value}\s*(?:,\s*${value}\s*)*)?\]`;
const member = new RegExp(
  String.raw`\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:${value}|${values})\s*(?:,|(?=\}))`,
  "y",
);

/** The line of each member of a JSON object of texts and lists, and the one where it is no such object anymore. */
const membersIn = (text: string): { lines: Map<string, number>; end: number } => {
  const lineAt = (index: number): number => text.slice(0, index).split("\n").length;
  const lines = new Map<string, number>();
  let at = text.indexOf("{") + 1;
  for (;;) {
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    member.lastIndex = at;
    const found = member.exec(text);
    if (found === null) return { lines, end: lineAt(start) };
    lines.set(found[1] ?? "", lineAt(start));
    at = member.lastIndex;
  }
};

/** Keeps what the site is called in a file, for a start at which the settings or `SITE_FILE` can't be read. */
export const createSiteCache = (path: string): SiteCache => {
  const read = (): SiteCache["kept"] => {
    try {
      const row: unknown = JSON.parse(readFileSync(path, "utf8"));
      const site = storedValues(siteSettings, row);
      if (site === null) return nothingKept;
      const names = isRecord(row) && Array.isArray(row.fixed) ? row.fixed : [];
      const fixed = Object.entries(site).filter(([name]) => names.includes(name));
      return { site, fixedSite: Object.fromEntries(fixed) };
    } catch {
      // No one has named the site yet, or the file is damaged: it is only a copy.
      return nothingKept;
    }
  };
  const cache = {
    kept: read(),
    keep: ({ site, fixedSite }: SiteCache["kept"]): void => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const row = { ...site, fixed: Object.keys(fixedSite) };
      writeFileSync(`${path}.new`, JSON.stringify(row), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      cache.kept = { site, fixedSite };
    },
  };
  return cache;
};

const nothingKept: SiteCache["kept"] = { site: unsetSite, fixedSite: {} };
