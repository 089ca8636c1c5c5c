import { accountSettings } from "./account-settings.ts";
import { coreSettings } from "./core-settings.ts";
import { credentialSettings } from "./credential-settings.ts";
import type { PathOf, ValuesOf } from "./define-settings.ts";

/** All settings that admins make, by section. */
export const declaredSettings = {
  core: coreSettings,
  accounts: accountSettings,
  credentials: credentialSettings,
} as const;

export type DeclaredName = keyof typeof declaredSettings;

/** The path of a setting from its section's name on, as the command line has it. */
export type DeclaredPath = {
  [Name in DeclaredName]: `${Name}.${PathOf<ValuesOf<(typeof declaredSettings)[Name]>>}`;
}[DeclaredName];
