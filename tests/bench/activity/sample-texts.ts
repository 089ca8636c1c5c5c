import { activityTypes } from "#contract/activity.ts";

/** What follows some descriptions of a sample log, and the share of rows that it follows. */
export const sampleEndings = [
  { text: ", slowly", share: 0.05 },
  { text: ", timeout", share: 0.02 },
  { text: ", throttled", share: 0.003 },
  { text: ", into quarantine", share: 0.001 },
  { text: ", by an emergency override", share: 0.0001 },
  { text: "", share: 0.9259 },
] as const;

const words: Record<(typeof activityTypes)[number], readonly [action: string, description: string]> = {
  plugin_installed: ["Installed plugin", "Plugin % installed from an archive"],
  plugin_updated: ["Updated plugin", "Plugin % updated to version 2"],
  plugin_removed: ["Removed plugin", "Plugin % removed with its data"],
  plugin_enabled: ["Enabled plugin", "Plugin % enabled"],
  plugin_disabled: ["Disabled plugin", "Plugin % disabled"],
  plugin_hot_reloaded: ["Reloaded plugin", "Plugin % reloaded once its files had changed"],
  plugin_failed: ["Plugin failed", "Plugin % threw an exception in its hook"],
  plugin_recovered: ["Plugin recovered", "Plugin % runs again"],
  permission_granted: ["Granted permission", "Permission storage:write given to %"],
  permission_revoked: ["Revoked permission", "Permission storage:write taken from %"],
  signature_verified: ["Verified signature", "Signature of % matches its publisher"],
  signature_failed: ["Signature failed", "Signature of % does not match"],
  api_call: ["Called an endpoint", "Request to /api/plugins/%/items answered"],
  network_request: ["Fetched an address", "GET https://api.example.com/v2/%/feed fetched"],
  file_read: ["Read a file", "storage/uploads/%/images opened for reading"],
  file_write: ["Wrote a file", "storage/cache/%/pages written"],
  admin_action: ["Changed a plugin", "Access to % given to an editor"],
  configuration_changed: ["Updated settings", "Limits of % raised in the admin area"],
  permission_violation: [
    "Refused by permissions",
    "Plugin % asked for network access that it was not granted",
  ],
  suspicious_activity: ["Looked suspicious", "Many addresses tried passwords against %"],
  health_check_failed: ["Health check failed", "Plugin % did not answer its health check"],
};

/** By the types' order in the contract. */
export const sampleActions = activityTypes.map((type) => words[type][0]);
/** By the types' order in the contract; the sign stands for the plugin's name. */
export const sampleDescriptions = activityTypes.map((type) => words[type][1]);

/** Parts of email addresses: as a person takes each by their number, thousands of people have different ones. */
export const samplePeople = {
  first:
    "anna ben carla david elena frank grace henry ines jonas karin louis maria nils olga peter rosa".split(
      " ",
    ),
  last: "mil gar nov schm ross du jan kow sil niel ander hor pop iva papa mur tan ki ngu oka brow cle fre".split(
    " ",
  ),
  lastEnd: "ler cia ak idt ini bois sen alski va son vath escu nova dop phy aka mer yen for".split(" "),
  at: ["@example.com", "@mail.example.org", "@company.example", "@example.net"],
};

/** What stands before the sign in the email address of the person with that number, who has some rows in any log. */
export const samplePersonName = (person: number): string => {
  const { first, last, lastEnd } = samplePeople;
  const at = (parts: readonly string[]) => parts[person % parts.length] ?? "";
  return `${at(first)}.${at(last)}${at(lastEnd)}`;
};
