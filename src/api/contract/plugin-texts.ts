/** What is said of a value that does not fit a JSON Schema. */
export const schemaTexts = {
  type: (kinds: string) => `Please give ${kinds}`,
  choices: (choices: string) => `Please give one of: ${choices}`,
  choice: "This is not one of the allowed values",
  least: (least: number) => `Please give ${least} or more`,
  most: (most: number) => `Please give ${most} or less`,
  above: (bound: number) => `Please give more than ${bound}`,
  below: (bound: number) => `Please give less than ${bound}`,
  multiple: (step: number) => `Please give a multiple of ${step}`,
  fewCharacters: (least: number) => `Please give at least ${counted(least, "character")}`,
  manyCharacters: (most: number) => `Please give at most ${counted(most, "character")}`,
  pattern: "This does not have the expected format",
  patternTooLong: "This is too long to be compared with a pattern",
  format: (words: string) => `Please give ${words}`,
  fewItems: (least: number) => `Please give at least ${counted(least, "entry", "entries")}`,
  manyItems: (most: number) => `Please give at most ${counted(most, "entry", "entries")}`,
  repeated: "Please give each entry only once",
  fewFields: (least: number) => `Please give at least ${counted(least, "field")}`,
  manyFields: (most: number) => `Please give at most ${counted(most, "field")}`,
  unknown: (nearest: string) => `This field is not supported here; did you mean "${nearest}"?`,
  noBranch: "This has none of the allowed forms",
  manyBranches: "This has more than one of the forms, but only one is allowed",
  not: "This has a form that is not allowed",
  tooMuch: "This is too large to be checked",
} as const;

/** What is said of a JSON Schema that cannot be used. */
export const schemaFaultTexts = {
  notASchema: "Please give a JSON Schema: an object",
  tooDeep: (most: number) => `Schemas can be nested ${most} levels deep`,
  tooMany: (most: number) => `A schema can have at most ${most} schemas and values`,
  reference: "References are not supported: please write out the schema",
  keyword: "This keyword is not supported",
  keywordNear: (nearest: string) => `This keyword is not supported; did you mean "${nearest}"?`,
  type: (names: string) => `Please give one or more of: ${names}`,
  format: (names: string) => `Please give one of: ${names}`,
  text: "Please give text",
  flag: "Please give true or false",
  number: "Please give a number",
  positive: "Please give a number above 0",
  whole: "Please give a whole number",
  count: "Please give a whole number, 0 or more",
  names: "Please give a list of names, each once",
  values: "Please give a list of at least one value",
  schemas: "Please give a list of 1 to 20 schemas",
  properties: "Please give an object of schemas",
  propertyName: "A property can't have this name",
  pattern:
    "This pattern can't be used: it must be a regular expression without lookaround and backreferences",
  patternSize:
    "This pattern is too large: please repeat less, and bound lengths with minLength and maxLength",
  patternsSize: "The patterns of the schema are too large together",
  patternsOfPlugin: "The plugin has too many patterns, or they are too large together",
  patternFlags: "A pattern can't have inline flags",
  manyPatterns: (most: number) => `A schema can have at most ${most} patterns`,
  patternLong: (most: number) => `A pattern can have at most ${most} characters`,
  valueDeep: (most: number) => `A value in a schema can be nested ${most} levels deep`,
} as const;

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** What is said of a plugin's manifest, `plugin.json`. */
export const manifestTexts = {
  notAnObject: "plugin.json must hold one JSON object",
  name: "A name has 2 to 40 lowercase letters, digits and hyphens, and starts with a letter",
  nameReserved: "This name is reserved; please choose another one",
  version: "Please give a version such as 1.2.3 (Semantic Versioning)",
  range: "Please give a range of versions such as ^1.0.0",
  file: 'Please give the path of a file in the package, such as "backend/index.js"',
  path: 'Please give a path in the admin area, such as "/admin/plugins/visitor-notes"',
  link: "Please give a URL that starts with https://",
  host: 'Please give a host name such as "api.example.com" or "*.example.com", without scheme and port',
  word: "Please give a word of letters, digits and hyphens",
  unprintable: "Please leave out control and invisible characters",
  blank: "Please give some visible text",
  ownDependency: "A plugin cannot depend on itself",
  permissionTwice: "This permission is listed twice",
  hostsMissing: "net.fetch needs hosts",
  hostsElsewhere: "Only net.fetch can have hosts",
  pluginsMissing: "plugins.call needs the names of the plugins to call",
  pluginsElsewhere: "Only plugins.call can have plugins",
  needs: (what: string, permission: string) => `${what} needs the permission "${permission}"`,
  needsPage: 'A frontend needs the permission "ui.page", or "ui.overlay" if it is an overlay',
  ownCall: "A plugin cannot call itself",
  settingsObject: 'The settings schema must have the type "object" and properties',
  settingsKeyword: "This keyword can't be used in a settings schema: forms don't support it",
  settingsName: "A setting's name has 1 to 64 letters, digits and underscores, and starts with a letter",
  settingsType:
    "A setting must be text, a number, yes or no, one of several values, a list of such values, or an object of such fields",
  settingsLevels: "Objects in settings can't contain objects or lists of objects",
  settingsOthers: "Settings can only have the listed fields",
  settingsRequired: "This setting doesn't exist",
  secretPlace: "Only text at the top level can be a secret",
  secretDefault: "A secret can't have a default or examples",
} as const;

/** What is said of the terminal commands in a plugin's manifest. */
export const commandTexts = {
  word: "A word has 2 to 40 lowercase letters, digits and hyphens, and starts with a letter",
  wordReserved: "This word is one of Atrium's own; please choose another one",
  wordNeeded: "The plugin's name is one of Atrium's own commands: please give another word",
  twice: "This name is already used",
  option: "An option has lowercase letters, digits and single hyphens, and starts with a letter",
  negated: 'An option can\'t start with "no-"',
  valuesOfText: "Only an option of type string can have values",
  value: "A value has letters, digits and . _ : + -, and starts with a letter or a digit",
  optionReserved: "Every command already has an option of this name",
  field: 'Please give a name, or names joined by dots, such as "limits.perHour"',
  name: "Please give a name of letters, digits and underscores",
  path: 'Please give the path of one of the plugin\'s own routes, such as "/notes/:id"',
  example: 'Please give a command that starts with "atrium "',
  pathName: (name: string) => `This part of the path needs an argument "${name}"`,
  pathRequired: "A part of the path can't be optional",
  requiredLast: "Required arguments have to come before optional ones",
  noBody: (method: string) => `${method} requests have no body`,
  fileOption: "The input already has an option of this name",
} as const;

/** Another plugin that one needs, in words, and what is wrong with it. */
type UnmetDependency = { words: string; state: "disabled" | "missing" | "outdated" };

const unmetWords = {
  disabled: "which is not enabled",
  missing: "which is not installed",
  outdated: "of which another version is installed",
} as const;

/** What is said of plugins and what is done with them. */
export const pluginTexts = {
  installed: (title: string, version: string) => `${title} ${version} installed`,
  updated: (title: string, version: string) => `${title} updated to ${version}`,
  rolledBack: (title: string, version: string) => `${title} was rolled back to ${version}`,
  waits: (title: string, version: string) => `${title} ${version} is stored and waits for your consent`,
  waitsFor: (title: string, version: string, obstacle: string) =>
    `${title} ${version} is stored but not in use: ${obstacle}`,
  inForce: (title: string, version: string) => `${title} ${version} is already in use`,
  discarded: (title: string, version: string) => `${title} ${version} discarded`,
  enabled: (title: string) => `${title} enabled`,
  enabledAlready: (title: string) => `${title} is already enabled`,
  enabledInSafeMode: (title: string) => `${title} enabled; it runs after the next start without safe mode`,
  disabled: (title: string, others: string[]) => `${title} disabled${behind(", and with it ", others)}`,
  disabledAlready: (title: string) => `${title} is already disabled`,
  removed: (title: string, others: string[]) => `${title} deleted${behind(", and disabled ", others)}`,
  removedRetaining: (title: string, others: string[]) =>
    `${title} deleted, its data kept${behind(", and disabled ", others)}`,
  restored: (title: string) => `${title} installed again`,
  settingsSaved: (title: string) => `Settings of ${title} saved`,
  settingsSame: "Nothing was changed",
  startFailed: (title: string, reason: string) => `${title} could not start: ${reason}`,
  packageMissing: (title: string) => `The package of ${title} is missing`,
  packageAltered: (title: string) => `The stored package of ${title} is not the one that was installed`,
  isCore: (title: string) => `${title} is part of Atrium and cannot be deleted`,
  formerRelease: (title: string) =>
    `This server ships a newer ${title}; this package is from an earlier release of Atrium`,
  notNewer: (title: string, version: string) => `${title} ${version} is installed; this version is not newer`,
  needed: (title: string, others: string[]) => `${inWords(others)} ${needOf(others)} ${title}`,
  neededOther: (title: string, others: string[], version: string) =>
    `${inWords(others)} cannot work with ${title} ${version}`,
  dependencies: (title: string, unmet: UnmetDependency[]) =>
    `${title} needs ${unmet.map(({ words, state }) => `${words}, ${unmetWords[state]}`).join(", and ")}. ${remedyOf(unmet)}`,
  cycle: (title: string, others: string[]) => `${title} and ${inWords(others)} need each other`,
  dependency: (name: string, range: string) => (range === "*" ? name : `${name} ${range}`),
  engine: (range: string, version: string) => `This plugin needs Atrium ${range}; this is ${version}`,
  consent: (title: string) => `${title} needs your consent first`,
  consentOutdated: (title: string) =>
    `${title} is a different package from the one you reviewed; please review its permissions again`,
  publisherChanged: (title: string, from: string, to: string) =>
    `The publisher of ${title} changes from ${from} to ${to}. Replace the publisher to use this version`,
  publisherChangedTo: (title: string, from: string, to: string) => `${title}: from ${from} to ${to}`,
  publisherSame: (title: string, version: string) =>
    `${title} ${version} is from the same publisher; activate it instead`,
  retainedBy: (name: string, whose: string) => `${name}, published by ${whose}`,
  retainedDeleted: (name: string, whose: string) => `Deleted the data of ${name}, published by ${whose}`,
  nothingRetained: (publishers: readonly string[]) =>
    publishers.length === 0
      ? "No data of this plugin is stored"
      : `No data of this publisher is stored. There is data of: ${publishers.join(", ")}`,
  publisherReplaced: (title: string, version: string, to: string) =>
    `${title} ${version} installed, published by ${to}`,
  nameTaken: (name: string) =>
    `The name ${name} belongs to a plugin of Atrium, and this package differs from all of its releases. Give a modified copy another name`,
  nameOfFeature: (name: string) =>
    `The name ${name} belongs to a feature of this site. Give the plugin another name`,
  unknownVersion: "This version is not stored",
  versionInForce: "This version is in use and can't be discarded",
  notBuilt: "The plugins of Atrium are not built on this server. Run `bun run build` there, then try again.",
  notBundled: "This plugin is not part of Atrium; please upload its package",
  installedAlready: (title: string) => `${title} is already installed`,
  changedMeanwhile: "This plugin was changed in the meantime",
  noSettings: "This plugin has no settings",
  secretExpected: "Please give text, or null to remove it",
  keyAdded: "The key is now trusted",
  keyChanged: "The key was changed",
  keyRevoked: (titles: string[]) =>
    titles.length === 0 ? "The key was revoked" : `The key was revoked, which stopped ${inWords(titles)}`,
  keyKnown: "This key is already in the list",
  keyUnknown: "This key doesn't exist",
  keyPinned: "This key is set by PLUGIN_TRUSTED_KEYS and has to be changed there",
  keyRevokedAlready: "This key was revoked and can't be used again",
  nativeByOperator: "Only the operator can allow a key to sign plugins that run inside the server",
  revokedReason: "It was signed with a key that is revoked",
  wrongPeriod: "The end has to be after the start",
} as const;

/** What people call a publisher: `bundled`, the id of a key with the label that it has here, or `unsigned`. */
export const publisherInWords = (publisher: string, label: string | null): string => {
  if (publisher === "bundled") return "Atrium";
  if (publisher === "unsigned") return "no publisher (unsigned)";
  return label ?? `the key ${publisher.slice(0, 12)}`;
};

/** Names as they are in a sentence: "Firewall and Licensing". */
const inWords = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

const remedyOf = (unmet: UnmetDependency[]): string => {
  const others = unmet.length === 1 ? "it" : "them";
  if (unmet.some(({ state }) => state === "outdated")) return "Install a suitable version first.";
  return unmet.every(({ state }) => state === "disabled")
    ? `Enable ${others} first.`
    : `Install and enable ${others} first.`;
};

const needOf = (names: string[]): string => (names.length === 1 ? "needs" : "need");

const behind = (words: string, others: string[]): string =>
  others.length === 0 ? "" : `${words}${inWords(others)}`;

/** What is said of an upload that cannot be taken. */
export const uploadTexts = {
  noForm: "Please send the file as multipart/form-data",
  noFile: "Please select a plugin file",
  onlyZip: "Only .zip files are accepted",
  oneFile: "Please upload one file at a time",
  tooLarge: "The file is larger than 20 MB",
} as const;

/** What is said of a package, or of a key, that cannot be used; by code. */
export const packageTexts = {
  too_large: "The package is larger than 20 MB",
  not_zip: "This is not a zip file",
  split: "Zip files in several parts are not supported",
  zip64: "Zip files in the zip64 format are not supported",
  empty: "The package is empty",
  too_many_entries: "The package holds more than 2,000 files and folders",
  layout: "The zip file has gaps, overlaps or extra data at its beginning or end",
  encrypted: "Encrypted zip files are not supported",
  unsupported: "The zip file uses a method that is not supported; please use deflate",
  extra_field: "The zip file states a name or size in two ways",
  special_file: "The package holds something that is neither a file nor a folder",
  bad_path: "The package holds a file with a name that is not allowed",
  duplicate: "The package holds two files whose names are the same or differ only in upper and lower case",
  conflict: "The package holds a file and a folder of the same name",
  header_mismatch: "The zip file contradicts itself about one of its files",
  file_too_large: "A file in the package is larger than 20 MB",
  total_too_large: "The files in the package are larger than 60 MB together",
  ratio: "A file in the package has a suspiciously high compression ratio",
  corrupt: "A file in the package is damaged",
  manifest_missing: "There is no plugin.json in the package",
  manifest_unreadable: "plugin.json is not readable JSON",
  manifest_invalid: "plugin.json has errors",
  entry_missing: "A file that plugin.json names is not in the package",
  entry_too_large: "A bundle is larger than 5 MB",
  entry_unreadable: "A bundle is not text in UTF-8",
  key_invalid: "This is not an Ed25519 key: 32 bytes in base64 are expected",
  key_weak: "This key is weak: anyone could sign with it",
  private_key_invalid: "This is not a private Ed25519 key in PEM format",
} as const;

/** What is said of a package that can be read, and yet may not be installed or started; by code. */
export const trustTexts = {
  modified: "Files of the package differ from what its publisher signed",
  invalid: "The package's signature is not valid",
  revoked: "The package is signed with a revoked key",
  expired: "The package is signed with a key that is not valid at this time",
  not_for_name: "The package is signed with a key that is not allowed to sign plugins of this name",
  unsigned_refused: "Packages without a trusted signature are not allowed on this server",
  native_refused: "The plugin wants to run inside the server, but its signature does not allow it",
  page_refused: "The plugin wants to run in the page itself, which needs a trusted signature",
} as const;
