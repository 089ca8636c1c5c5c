import * as index from "../backend/index.ts" with { type: "text" };
import * as activity from "../backend/parts/activity.ts" with { type: "text" };
import * as events from "../backend/parts/events.ts" with { type: "text" };
import * as files from "../backend/parts/files.ts" with { type: "text" };
import * as guard from "../backend/parts/guard.ts" with { type: "text" };
import * as life from "../backend/parts/life.ts" with { type: "text" };
import * as log from "../backend/parts/log.ts" with { type: "text" };
import * as neighbours from "../backend/parts/neighbours.ts" with { type: "text" };
import * as network from "../backend/parts/network.ts" with { type: "text" };
import * as people from "../backend/parts/people.ts" with { type: "text" };
import * as routes from "../backend/parts/routes.ts" with { type: "text" };
import * as schedule from "../backend/parts/schedule.ts" with { type: "text" };
import * as settings from "../backend/parts/settings.ts" with { type: "text" };
import * as values from "../backend/parts/values.ts" with { type: "text" };

const backend = { activity, events, files, guard, life, log, neighbours, network, people, routes };
const rest = { schedule, settings, values };

/** The source files that the page shows, by path: the same files that the backend is built from. */
export const sources: ReadonlyMap<string, string> = new Map(
  [
    ["backend/index.ts", index] as const,
    ...Object.entries({ ...backend, ...rest }).map(
      ([name, module]) => [`backend/parts/${name}.ts`, module] as const,
    ),
  ].map(([path, module]) => [path, String(Reflect.get(module, "default")).trim()]),
);
