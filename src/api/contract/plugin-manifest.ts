import { unshownTexts } from "./account-rules.ts";
import type { FieldError } from "./errors.ts";
import {
  type CompilePattern,
  compileBrowserPattern,
  createSchemaCheck,
  isObject,
  type JsonObject,
} from "./json-schema.ts";
import {
  commandProblems,
  completeCommands,
  type PluginCommands,
  type RawCommands,
} from "./plugin-commands.ts";
import { manifestSchema } from "./plugin-manifest-schema.ts";
import { isPluginName } from "./plugin-names.ts";
import { readSettingsSchema, type SettingsSchema } from "./plugin-settings-schema.ts";
import { commandTexts, schemaTexts, manifestTexts as texts } from "./plugin-texts.ts";
import {
  type Permission,
  type PermissionName,
  type PluginPanel,
  type PluginType,
  permissionNames,
  pluginLimits,
} from "./plugins.ts";

export { manifestSchema } from "./plugin-manifest-schema.ts";
export type { SettingsSchema } from "./plugin-settings-schema.ts";

/** What `plugin.json` says, with all defaults filled in. */
export type Manifest = {
  manifestVersion: 1;
  name: string;
  version: string;
  title: string;
  description: string;
  type: PluginType;
  author: string | null;
  homepage: string | null;
  license: string | null;
  /** The range of versions of Atrium that it runs in; `*` for any. */
  engines: { atrium: string };
  /** Ranges by name; `*` for any version. */
  dependsOn: Record<string, string>;
  backend: { entry: string; runtime: "sandbox" | "native" } | null;
  frontend: {
    entry: string;
    css: string | null;
    mode: "iframe" | "native";
    overlay: boolean;
    /** A script for every page and every visitor. */
    site: string | null;
  } | null;
  adminPanel: PluginPanel | null;
  /** In the order of `permissionNames`. */
  permissions: Permission[];
  settings: { schema: SettingsSchema } | null;
  /** What it adds to the command line. */
  commands: PluginCommands | null;
  /** At most the caps of `pluginLimits`. */
  limits: { memoryMB: number; cpuMs: number; wallMs: number };
};

/** A manifest before its defaults are filled in. */
type RawManifest = Partial<
  Omit<Manifest, "name" | "version" | "engines" | "dependsOn" | "permissions" | "adminPanel" | "commands">
> & {
  name: string;
  version: string;
  engines?: { atrium?: string };
  dependsOn?: string[] | Record<string, string>;
  permissions?: (PermissionName | Permission)[];
  commands?: RawCommands;
  adminPanel?: {
    enabled: boolean;
    menuItem?: Partial<NonNullable<PluginPanel["menuItem"]>>;
    card?: Partial<NonNullable<PluginPanel["card"]>>;
  };
};

/**
 * Reads a parsed `plugin.json`: the manifest with its defaults, or everything that is in the way, by path. Patterns
 * in the schema of settings are only compiled unless `compilePattern` brings an engine that strangers' patterns may run on.
 */
export const readManifest = (
  value: unknown,
  { compilePattern = compileOnly }: { compilePattern?: CompilePattern } = {},
): { manifest: Manifest } | { problems: FieldError[] } => {
  if (!isObject(value)) return { problems: [{ path: "", message: texts.notAnObject }] };
  const errors = checkShape(value).map(reworded);
  if (errors.length > 0) return { problems: errors };
  const raw = shaped(value);
  const settings = readSettings(raw, compilePattern);
  const problems = [
    ...textProblems(value),
    ...permissionProblems(raw),
    ...dependencyProblems(raw),
    ...(raw.commands === undefined ? [] : commandProblems(raw.commands, raw.name)),
    ...settings.problems,
  ];
  return problems.length === 0 ? { manifest: complete(raw, settings.schema) } : { problems };
};

/** An engine whose time a pattern can blow up must not meet a stranger's pattern: it only says whether it is one. */
const compileOnly: CompilePattern = (pattern) => {
  compileBrowserPattern(pattern);
  return () => true;
};

/** Made when the first manifest is judged, which no start waits for. */
const checkShape = (value: unknown): FieldError[] => {
  madeCheck ??= createSchemaCheck(manifestSchema, { compilePattern: compileBrowserPattern });
  return madeCheck(value);
};
let madeCheck: ReturnType<typeof createSchemaCheck> | null = null;

/** What fits `manifestSchema` has exactly this type; the compiler cannot know. */
const shaped = (value: unknown): RawManifest => value as RawManifest;

const wordings: readonly [RegExp, string][] = [
  [/^commands\.word$|^commands\.list\.\d+\.name$/, commandTexts.word],
  [/\.options\.\d+\.name$/, commandTexts.option],
  [/\.call\.path$/, commandTexts.path],
  [/\.typed$/, commandTexts.example],
  [/^commands\..*output\..*(?:field|rows|message)$/, commandTexts.field],
  [/^commands\..*(?:field|name)$/, commandTexts.name],
  [/^name$|^dependsOn\.\d+$|\.plugins\.\d+$/, texts.name],
  [/^version$/, texts.version],
  [/^engines\.|^dependsOn\./, texts.range],
  [/\.(?:entry|css|site)$/, texts.file],
  [/^homepage$/, texts.link],
  [/\.hosts\.\d+$/, texts.host],
  [/\.path$/, texts.path],
  [/\.(?:icon|color)$/, texts.word],
];

const reservedWording: ReadonlyMap<string, string> = new Map([
  [texts.name, texts.nameReserved],
  [commandTexts.word, commandTexts.wordReserved],
  [commandTexts.option, commandTexts.optionReserved],
]);

/** Says what a text should look like, where a schema can only say that it does not. */
const reworded = ({ path, message }: FieldError): FieldError => {
  const words = wordings.find(([pattern]) => pattern.test(path))?.[1] ?? message;
  if (message === schemaTexts.not) return { path, message: reservedWording.get(words) ?? words };
  return { path, message: message === schemaTexts.pattern ? words : message };
};

/** Texts that cannot be shown as they are; those of the settings' schema are looked at with it. */
const textProblems = ({ settings: _, $schema: __, ...shown }: JsonObject): FieldError[] =>
  unshownTexts(shown).map(({ path, isBlank }) => ({
    path,
    message: isBlank ? texts.blank : texts.unprintable,
  }));

const asPermissions = (raw: RawManifest): Permission[] =>
  (raw.permissions ?? []).map((asked) => (typeof asked === "string" ? { name: asked } : asked));

const permissionProblems = (raw: RawManifest): FieldError[] => {
  const asked = asPermissions(raw);
  const names = asked.map(({ name }) => name);
  const own = asked.flatMap(({ name, hosts, plugins }, index): FieldError[] => {
    const path = `permissions.${index}`;
    return [
      ...when(names.indexOf(name) < index, path, texts.permissionTwice),
      ...when(name === "net.fetch" && hosts === undefined, `${path}.hosts`, texts.hostsMissing),
      ...when(name !== "net.fetch" && hosts !== undefined, `${path}.hosts`, texts.hostsElsewhere),
      ...when(name === "plugins.call" && plugins === undefined, `${path}.plugins`, texts.pluginsMissing),
      ...when(name !== "plugins.call" && plugins !== undefined, `${path}.plugins`, texts.pluginsElsewhere),
      ...when(plugins?.includes(raw.name) === true, `${path}.plugins`, texts.ownCall),
    ];
  });
  return [
    ...own,
    ...needs.flatMap(({ name, isUsed, path, message }) =>
      when(isUsed(raw, names) && !names.includes(name), path, message),
    ),
  ];
};

/** A permission, and what can't be had without it. */
type Need = {
  name: PermissionName;
  isUsed: (raw: RawManifest, asked: readonly PermissionName[]) => boolean;
  path: string;
  message: string;
};

const needs: readonly Need[] = [
  {
    name: "mail.send",
    isUsed: (_, asked) => asked.includes("mail.send:anyone"),
    path: "permissions",
    message: texts.needs("Email to anyone", "mail.send"),
  },
  {
    name: "native",
    isUsed: ({ backend }) => backend?.runtime === "native",
    path: "backend.runtime",
    message: texts.needs("A native backend", "native"),
  },
  {
    name: "ui.native",
    isUsed: ({ frontend }) => frontend?.mode === "native",
    path: "frontend.mode",
    message: texts.needs("A native frontend", "ui.native"),
  },
  {
    name: "ui.overlay",
    isUsed: ({ frontend }) => frontend?.overlay === true,
    path: "frontend.overlay",
    message: texts.needs("An overlay", "ui.overlay"),
  },
  {
    name: "ui.site",
    isUsed: ({ frontend }) => typeof frontend?.site === "string",
    path: "frontend.site",
    message: texts.needs("A site script", "ui.site"),
  },
  {
    name: "ui.page",
    isUsed: ({ frontend }) => frontend !== undefined && frontend?.overlay !== true,
    path: "frontend",
    message: texts.needsPage,
  },
];

const when = (applies: boolean, path: string, message: string): FieldError[] =>
  applies ? [{ path, message }] : [];

const dependencyProblems = ({ name, dependsOn = [] }: RawManifest): FieldError[] => {
  const names = Array.isArray(dependsOn) ? dependsOn : Object.keys(dependsOn);
  return names.flatMap((dependency, index) => {
    const path = `dependsOn.${Array.isArray(dependsOn) ? index : dependency}`;
    return [
      ...when(!isPluginName(dependency), path, texts.name),
      ...when(dependency === name, path, texts.ownDependency),
    ];
  });
};

const readSettings = (
  raw: RawManifest,
  compilePattern: CompilePattern,
): { schema: SettingsSchema | null; problems: FieldError[] } => {
  if (raw.settings === undefined || raw.settings === null) return { schema: null, problems: [] };
  const read = readSettingsSchema(raw.settings.schema, { compilePattern });
  if ("schema" in read) return { schema: read.schema, problems: [] };
  const problems = read.problems.map(({ path, message }) => ({
    path: path === "" ? "settings.schema" : `settings.schema.${path}`,
    message,
  }));
  return { schema: null, problems };
};

const complete = (raw: RawManifest, schema: SettingsSchema | null): Manifest => ({
  manifestVersion: 1,
  name: raw.name,
  version: raw.version,
  title: raw.title ?? raw.name,
  description: raw.description ?? "",
  type: raw.type ?? "Other",
  author: raw.author ?? null,
  homepage: raw.homepage ?? null,
  license: raw.license ?? null,
  engines: { atrium: raw.engines?.atrium ?? "*" },
  dependsOn: Array.isArray(raw.dependsOn)
    ? Object.fromEntries(raw.dependsOn.map((name) => [name, "*"]))
    : { ...raw.dependsOn },
  backend: raw.backend ? { entry: raw.backend.entry, runtime: raw.backend.runtime ?? "sandbox" } : null,
  frontend: raw.frontend
    ? {
        entry: raw.frontend.entry,
        css: raw.frontend.css ?? null,
        mode: raw.frontend.mode ?? "iframe",
        overlay: raw.frontend.overlay ?? false,
        site: raw.frontend.site ?? null,
      }
    : null,
  adminPanel: panelOf(raw),
  permissions: asPermissions(raw).sort(
    (one, other) => permissionNames.indexOf(one.name) - permissionNames.indexOf(other.name),
  ),
  settings: schema === null ? null : { schema },
  commands: raw.commands === undefined ? null : completeCommands(raw.commands, raw.name),
  limits: {
    memoryMB: raw.limits?.memoryMB ?? pluginLimits.memoryMB,
    cpuMs: raw.limits?.cpuMs ?? pluginLimits.cpuMs,
    wallMs: raw.limits?.wallMs ?? pluginLimits.wallMs,
  },
});

const panelOf = ({ adminPanel, ...raw }: RawManifest): PluginPanel | null => {
  if (adminPanel === undefined) return null;
  const { enabled, menuItem, card } = adminPanel;
  const shown = {
    title: raw.title ?? raw.name,
    description: raw.description ?? "",
    icon: "Extension",
    path: menuItem?.path ?? `/admin/plugins/${raw.name}`,
  };
  return {
    enabled,
    ...(menuItem === undefined ? {} : { menuItem: { ...shown, ...menuItem } }),
    ...(card === undefined ? {} : { card: { ...shown, color: "primary", buttonText: "Open", ...card } }),
  };
};
