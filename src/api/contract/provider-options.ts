import type { OperationOption } from "./operation-commands.ts";
import { providerSettings } from "./provider-settings.ts";

/** The option of a setting by its path: `--client-id` for `clientId`, `--email-claim` for `claims.email`. */
export const providerOptionName = (path: string): string => {
  const [own = "", inner] = path.split(".");
  return (inner === undefined ? own.replace(/^(?:is|may)(?=[A-Z])/, "") : `${inner}Claim`)
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, "");
};

// A group may have a comma in its name.
const listed = (path: string): Partial<OperationOption> =>
  path === "groupRoles" ? { repeats: true, value: "group:role" } : { type: "list" };

/** An option for each setting of a provider. */
export const providerSettingOptions: readonly OperationOption[] = providerSettings.settings.map(
  ([path, { kind, label, about = label }]) => ({
    name: providerOptionName(path),
    ...(kind === "switch" ? { value: "on|off", values: ["on", "off"] } : {}),
    ...(kind === "list" ? { value: "words", ...listed(path) } : {}),
    summary: kind === "list" ? `${about}; may be repeated` : about,
  }),
);
