import { uploadTexts as refusals } from "#contract/upload-texts.ts";

const count = (amount: number, one: string, many: string) =>
  `${new Intl.NumberFormat("en").format(amount)} ${amount === 1 ? one : many}`;

/** Words of the dialog that uploads a package. */
export const uploadTexts = {
  ...refusals,
  title: "Upload Plugin",
  lead: "Nothing of the package runs before you have seen what it asks for and have enabled it.",
  file: "Plugin package",
  choose: "Choose a .zip file",
  orDrop: "or drop it anywhere on the page",
  chosen: (name: string, size: string) => `${name} (${size})`,
  upload: "Upload",
  cancel: "Cancel",
  close: "Close",
  sending: (percent: string) => `Sending the package: ${percent}`,
  checking: "Checking the package",
  installing: "Installing",
  failed: "Error uploading plugin",
  problems: "What is wrong with it",
  install: "Install",
  update: (version: string) => `Update to ${version}`,
  again: "Install again",
  downgrade: (version: string) => `Go back to ${version}`,
  downgradeWarning:
    "This version is not newer than the one before it. What that has stored may be of no use to this one.",
  other: "Choose another file",
  facts: "Package",
  name: "Name",
  version: "Version",
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  type: "Type",
  author: "Author",
  size: "Size",
  contents: (size: string, files: number) => `${size}, ${count(files, "file", "files")}`,
  asks: "What it asks for",
  dependencies: "What it needs",
  needed: (name: string, range: string) => `${name} ${range}`,
  dependencyStates: {
    enabled: "Enabled",
    disabled: "Disabled",
    missing: "Not installed",
    outdated: "Wrong version",
  },
  obstacles: "It cannot be installed",
  retained: "Data of an earlier installation is still here and will be used again.",
  isOff: "It is disabled: nothing of it runs yet.",
  review: "See what it asks for",
  enable: "Enable now",
} as const;
