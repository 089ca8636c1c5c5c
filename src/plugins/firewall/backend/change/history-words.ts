import type { Json } from "#plugins/sdk/types.ts";
import manifest from "../../plugin.json";
import { allPatterns } from "../engine/patterns/all-patterns.ts";
import type { StoredAddress, StoredExemption, StoredRate } from "../rules/rules.ts";
import type { CountryRules } from "../wire.ts";
import type { ChangedPart } from "./history.ts";

const mostLines = 20;

const titles: Record<string, { title: string }> = manifest.settings.schema.properties;

/** What a change of `count` parts did, a line for each: `Paranoia level: 1 → 3`. Of many only the first are listed. */
export const linesOf = (parts: readonly ChangedPart[], count: number): string[] => {
  const lines = parts.slice(0, mostLines).map(lineOf);
  const more = count - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
};

const lineOf = ({ name, before, after }: ChangedPart): string => {
  const [kind = "", id = ""] = name.split(" ", 2);
  const { title, write } = words[kind] ?? { title: () => name, write: JSON.stringify };
  return `${title(id, after ?? before)}: ${write(before)} → ${write(after)}`;
};

const onOff = (isOn: boolean): string => (isOn ? "on" : "off");

const writeSwitch = (value: Json): string => (typeof value === "boolean" ? onOff(value) : String(value));

/** The new value of a switch, such as `Paranoia level 3` or `Bans on`. */
export const switchText = (name: string, value: Json): string =>
  `${titles[name]?.title ?? name} ${writeSwitch(value)}`;

type Words = {
  /** The value is that of a part that is there. */
  title(id: string, value: Json): string;
  write(value: Json): string;
};

const patternTitles = new Map(allPatterns.map(({ id, title }) => [String(id), title]));

/** Parts of a kind are all of one type: {@link ChangedPart} was made from it. */
const listed = <T>(title: (one: T) => string, write: (one: T) => string): Words => ({
  title: (_id, value) => title(value as T),
  write: (value) => (value === null ? "none" : write(value as T)),
});

const words: Record<string, Words> = {
  switch: {
    title: (id) => titles[id]?.title ?? id,
    write: writeSwitch,
  },
  pattern: {
    title: (id) => `Pattern ${id} (${patternTitles.get(id) ?? "unknown"})`,
    write: (value) => onOff(value === null),
  },
  countries: listed<CountryRules>(
    () => "Countries",
    ({ mode, codes }) => {
      if (mode === "off") return "all allowed";
      return mode === "allow" ? `only ${codes.join(", ")}` : `all except ${codes.join(", ")}`;
    },
  ),
  address: listed<StoredAddress>(
    ({ range }) => `IP address ${range}`,
    ({ kind, note, expiresAt }) =>
      joined([kind, note, expiresAt === null ? "permanently" : `until ${expiresAt}`]),
  ),
  rate: listed<StoredRate>(
    ({ title }) => `Rate rule "${title}"`,
    ({ isOn, method, path, max, windowMs, roles, key, action }) =>
      joined([
        `${max} in ${windowMs / 1_000} s of ${method} ${path}`,
        `for ${roles.join(" and ")} by ${keyNames[key]}`,
        `then ${action}`,
        onOff(isOn),
      ]),
  ),
  exemption: listed<StoredExemption>(
    ({ method, path }) => `Exemption for ${method} ${path}`,
    ({ method, path, fields, categories, note }) =>
      joined([
        `${fields.join(" and ") || "all fields"} of ${method} ${path}`,
        categories.join(" and ") || "all patterns",
        note,
      ]),
  ),
};

const keyNames = { ip: "IP address", user: "account", "ip+path": "IP address and path" } as const;

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(", ");
