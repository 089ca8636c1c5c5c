import { validationError } from "#api/core/app-error.ts";
import { credentialSettings, type SecretName } from "#contract/credential-settings.ts";
import { changedSettings, valueAt } from "#contract/define-settings.ts";
import { keepsSecrets, serverOf } from "#contract/endpoints.ts";
import type { FieldError } from "#contract/errors.ts";
import type { ChangedField } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { PlainCredentials, SettingPlan } from "./setting-plan.ts";
import { endpointOf, type StoredSettings, secretNames, servicesWith } from "./stored-settings.ts";

/** What becomes of secrets whose endpoint moves to another server: they are demanded again, or removed. */
export type MovedSecrets = "demanded" | "removed";

/**
 * What a change of credentials does to what is stored. No stored secret ever follows its endpoint to another server, and
 * none outlives it or comes before it. Throws a 422 with each secret that must be entered again, or with its endpoint.
 */
export const planCredentials = (
  stored: StoredSettings,
  change: PlainCredentials,
  moved: MovedSecrets,
): SettingPlan => {
  const next = servicesWith((path) => valueAt(change, path) ?? valueAt(stored, path));
  const visible = changedSettings<object>(credentialSettings, stored, next);
  const changed = Object.entries(next).filter(([service]) =>
    visible.some(({ path }) => path.startsWith(`${service}.`)),
  );
  const plan: SettingPlan = { fields: visible, sections: Object.fromEntries(changed), secrets: {} };
  const demanded: FieldError[] = [];
  for (const name of secretNames) {
    const fate = fateOf(name, {
      stored,
      entered: change.secrets[name],
      from: endpointOf(name, stored),
      to: endpointOf(name, next),
      moved,
    });
    if (fate === "demanded") demanded.push({ path: name, message: settingsTexts.enterAgain });
    if (fate === "unbound") demanded.push({ path: name, message: settingsTexts.endpointFirst });
    if (typeof fate === "string") continue;
    plan.secrets[name] = fate.secret;
    if (fate.deed !== null) plan.fields = [...plan.fields, fieldOf(name, fate.deed)];
  }
  if (demanded.length > 0) throw validationError(demanded);
  return plan;
};

type Deed = Extract<ChangedField, { isSecret: true }>["deed"];
type Fate =
  | "kept"
  | "demanded"
  | "unbound"
  | { secret: { value: string; endpoint: string } | null; deed: Deed | null };
type Move = {
  stored: StoredSettings;
  entered: string | null | undefined;
  from: string;
  to: string;
  moved: MovedSecrets;
};

const fieldOf = (path: SecretName, deed: Deed): ChangedField => ({ path, isSecret: true, deed });

const removed: Fate = { secret: null, deed: "removed" };

const fateOf = (name: SecretName, { stored, entered, from, to, moved }: Move): Fate => {
  const former = stored.secrets[name];
  if (typeof entered === "string") {
    // Kept for no server in particular it would be for whichever comes first.
    if (to === "") return "unbound";
    const isSame = former?.value === entered && serverOf(from) === serverOf(to);
    if (isSame) return "kept";
    return { secret: { value: entered, endpoint: to }, deed: former === undefined ? "set" : "replaced" };
  }
  if (former === undefined) return "kept";
  if (entered === null || (to === "" && from !== "")) return removed;
  if (serverOf(from) === serverOf(to)) return "kept";
  // One that does not open is of no use to anybody, and nobody can be asked to repeat it.
  if (former.value === null) return removed;
  if (keepsSecrets(from, to)) return { secret: { value: former.value, endpoint: to }, deed: null };
  return moved === "demanded" ? "demanded" : removed;
};
