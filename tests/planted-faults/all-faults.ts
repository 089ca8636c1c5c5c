import { accessFaults } from "./access.ts";
import { activityFaults } from "./activity.ts";
import { adapterFaults } from "./adapters.ts";
import { authFaults } from "./auth.ts";
import { backupFaults } from "./backups.ts";
import { commandLineFaults } from "./command-line.ts";
import { databaseFaults } from "./database.ts";
import { httpFaults } from "./http.ts";
import { interfaceAdminFaults } from "./interface-admin.ts";
import { interfaceAuthFaults } from "./interface-auth.ts";
import { interfacePartsFaults } from "./interface-parts.ts";
import { packageFaults } from "./packages.ts";
import type { PlantedFault } from "./planted-fault.ts";
import { pluginHostFaults } from "./plugin-host.ts";
import { pluginFaults } from "./plugins.ts";
import { scriptFaults } from "./scripts.ts";
import { serviceFaults } from "./services.ts";
import { settingsFaults } from "./settings.ts";

/** All faults, of each area one after the other. */
export const allFaults: readonly PlantedFault[] = [
  ...authFaults,
  ...accessFaults,
  ...settingsFaults,
  ...activityFaults,
  ...httpFaults,
  ...databaseFaults,
  ...backupFaults,
  ...adapterFaults,
  ...packageFaults,
  ...pluginHostFaults,
  ...serviceFaults,
  ...interfaceAuthFaults,
  ...interfaceAdminFaults,
  ...interfacePartsFaults,
  ...commandLineFaults,
  ...pluginFaults,
  ...scriptFaults,
];
