import type { PluginDefinition } from "../atrium-plugin.d.ts";
import { name, version } from "../plugin.json";
import { addActivity } from "./parts/activity.ts";
import { addEvents } from "./parts/events.ts";
import { addFiles } from "./parts/files.ts";
import { addGuard } from "./parts/guard.ts";
import { addLife, health, migrate, teardown } from "./parts/life.ts";
import { addLog } from "./parts/log.ts";
import { addNeighbours } from "./parts/neighbours.ts";
import { addNetwork } from "./parts/network.ts";
import { addPeople } from "./parts/people.ts";
import { addRoutes } from "./parts/routes.ts";
import { addSchedule } from "./parts/schedule.ts";
import { addSettings } from "./parts/settings.ts";
import { addValues } from "./parts/values.ts";

/** Remove what you don't need, here and in `plugin.json`: admins must approve every permission listed there. */
const parts = [
  ...[addRoutes, addSettings, addValues, addFiles, addActivity, addSchedule, addPeople],
  ...[addNetwork, addGuard, addEvents, addNeighbours, addLog, addLife],
];

const plugin: PluginDefinition = {
  name,
  version,
  setup(ctx) {
    for (const add of parts) add(ctx);
  },
  health,
  migrate,
  teardown,
};

export default plugin;
