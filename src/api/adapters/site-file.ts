import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "#api/core/log.ts";
import { isHomeGone, type SettingsService, type SiteCache } from "#api/core/settings.ts";
import { isRecord, storedValues, withChange } from "#contract/define-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { unsetSite } from "#contract/site.ts";
import { type SiteSettings, siteSettings } from "#contract/site-settings.ts";

/**
 * What the file that `SITE_FILE` names says of the site: its fields can't be changed elsewhere. A field with a mistake has
 * the value that `kept` has of it, and so have all if the file can't be read; the log says what is wrong, and in which line.
 */
export const readSiteFile = (
  path: string | null,
  { kept, log, ...pages }: { kept: SiteSettings; log: Log } & Pick<SettingsService, "homePages">,
): Partial<SiteSettings> => {
  if (path === null) return {};
  const refuse = (reason: string, line?: number) =>
    log.error("SITE_FILE has a mistake: the former value stays", {
      file: path,
      ...(line === undefined ? {} : { line }),
      reason,
    });
  let text = "";
  let given: unknown;
  try {
    text = readFileSync(path, "utf8");
    given = JSON.parse(text);
  } catch (error) {
    refuse(
      error instanceof Error ? error.message : String(error),
      text === "" ? undefined : membersIn(text).end,
    );
    return kept;
  }
  if (!isRecord(given)) {
    refuse('expected an object, such as {"name": "Northwind"}');
    return kept;
  }
  const { lines } = membersIn(text);
  const fields = new Map(siteSettings.settings);
  const values = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const kind = fields.get(name)?.kind;
    const isKnown = kind !== undefined;
    const { values: next, errors } = withChange(siteSettings, kept, { [name]: value });
    const isGone = name === "home" && isHomeGone(value, pages);
    const refusal = isGone ? settingsTexts.noHomePage(value.trim()) : errors[0]?.message;
    const wrong = kind === "image" ? imagesElsewhere : refusal;
    const complaint = isKnown ? wrong : unknownName;
    if (complaint !== undefined) refuse(`${name}: ${complaint}`, lines.get(name));
    if (!isKnown) return [];
    return [[name, Reflect.get(complaint === undefined ? next : kept, name)]];
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
