const count = (amount: number, one: string, many = `${one}s`) =>
  `${new Intl.NumberFormat("en").format(amount)} ${amount === 1 ? one : many}`;

/** Words of the dialog that deletes a plugin. */
export const deleteTexts = {
  title: (title: string) => `Delete ${title}?`,
  lead: (name: string) => `The plugin ${name} is stopped, and its packages are removed from this server.`,
  retain: "Retain plugin database data",
  retainHint: "It is there again when the plugin is installed once more.",
  warning: "All plugin data will be deleted. Nothing brings it back.",
  loading: "Looking at what it has stored",
  unknown: "What it has stored could not be counted.",
  nothing: "It has stored nothing.",
  keys: (amount: number) => count(amount, "entry", "entries"),
  files: (amount: number, size: string) => `${count(amount, "file")} (${size})`,
  secrets: (amount: number) => count(amount, "secret"),
  settings: (amount: number) => count(amount, "setting"),
  dependents: (titles: string) => `These need it and are disabled first: ${titles}.`,
  type: "Type the plugin's name to confirm",
  mismatch: "This is not the plugin's name",
  cancel: "Cancel",
  confirm: "Delete",
  confirmForced: "Disable them and delete",
  failed: "Error deleting plugin",
} as const;
