import { uploadTexts as refusals } from "#contract/plugin-texts.ts";

const count = (amount: number, one: string, many: string) =>
  `${new Intl.NumberFormat("en").format(amount)} ${amount === 1 ? one : many}`;

/** Words of the dialog that uploads a package. */
export const uploadTexts = {
  ...refusals,
  title: "Upload Plugin",
  lead: "Nothing in the package runs until you review its permissions and enable it.",
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
  problems: "Problems",
  install: "Install",
  update: (version: string) => `Update to ${version}`,
  again: "Install again",
  downgrade: (version: string) => `Downgrade to ${version}`,
  downgradeWarning:
    "This version is not newer than the installed one. It may not be able to use data stored by the installed version.",
  other: "Choose another file",
  facts: "Package",
  name: "Name",
  version: "Version",
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  type: "Type",
  author: "Author",
  size: "Size",
  contents: (size: string, files: number) => `${size}, ${count(files, "file", "files")}`,
  asks: "Permissions it requests",
  dependencies: "Dependencies",
  needed: (name: string, range: string) => `${name} ${range}`,
  dependencyStates: {
    enabled: "Enabled",
    disabled: "Disabled",
    missing: "Not installed",
    outdated: "Wrong version",
  },
  obstacles: "This plugin can't be installed",
  retained: "Data from an earlier installation is still here and will be used again.",
  isOff: "It is disabled: none of its code runs yet.",
  review: "View permissions",
  enable: "Enable now",
} as const;
