import type { Complaint } from "#contract/account-rules.ts";
import { credentialSettings } from "#contract/credential-settings.ts";
import { endpointPathOf, settingComplaint } from "#contract/define-settings.ts";
import { keepsSecrets } from "#contract/endpoints.ts";
import { pageSettingsTexts } from "#contract/settings-texts.ts";
import {
  type Draft,
  type DraftPath,
  declaredFields,
  isSecretPath,
  type SavedSettings,
  type SecretPath,
  wireValue,
} from "./draft.ts";

/** Complaints by field; a field without one is absent. */
export type DraftErrors = Partial<Record<DraftPath, string>>;

/** Everything that keeps the draft from being saved, in the server's own words. */
export const draftComplaints = (draft: Draft, saved: SavedSettings): DraftErrors => {
  const complaints = declaredFields.map(({ path, setting }): [DraftPath, Complaint] => {
    const complaint = settingComplaint(setting, wireValue(path, draft[path]), saved.otherEndpoints);
    return [path, complaint ?? (isSecretPath(path) ? secretComplaint(path, draft, saved) : null)];
  });
  return Object.fromEntries(complaints.filter(([, complaint]) => complaint !== null));
};

/** Complaint about a secret without its endpoint, or one that would go to another server than it was entered for, which it never does. */
const secretComplaint = (path: SecretPath, draft: Draft, saved: SavedSettings): Complaint => {
  const { path: endpointPath, setting } = endpointFor(path);
  const endpoint = String(draft[endpointPath]).trim();
  const entered = wireValue(path, draft[path]) ?? "";
  if (entered !== "") return endpoint === "" ? pageSettingsTexts.endpointFirst : null;
  if (!saved.hasSecret[path] || draft[path] !== "" || endpoint === "") return null;
  const next = setting.kind === "endpoint" ? setting.split(endpoint) : null;
  // A password within the endpoint is one that was entered.
  if (next === null || next.password !== null) return null;
  return keepsSecrets(String(saved.draft[endpointPath]), next.endpoint) ? null : pageSettingsTexts.enterAgain;
};

const endpointFor = (path: SecretPath) => {
  const endpointPath = endpointPathOf(credentialSettings, path);
  const found = declaredFields.find((field) => field.path === endpointPath);
  if (found === undefined) throw new Error(`${path} is for no endpoint`);
  return found;
};
