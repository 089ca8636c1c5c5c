import * as backendAnswering from "#plugins/plugin-template/backend/answering.ts" with { type: "text" };
import * as backendFieldsOf from "#plugins/plugin-template/backend/fields-of.ts" with { type: "text" };
import * as backendIndex from "#plugins/plugin-template/backend/index.ts" with { type: "text" };
import * as partActivity from "#plugins/plugin-template/backend/parts/activity.ts" with { type: "text" };
import * as partEvents from "#plugins/plugin-template/backend/parts/events.ts" with { type: "text" };
import * as partFiles from "#plugins/plugin-template/backend/parts/files.ts" with { type: "text" };
import * as partGuard from "#plugins/plugin-template/backend/parts/guard.ts" with { type: "text" };
import * as partLife from "#plugins/plugin-template/backend/parts/life.ts" with { type: "text" };
import * as partLog from "#plugins/plugin-template/backend/parts/log.ts" with { type: "text" };
import * as partNeighbours from "#plugins/plugin-template/backend/parts/neighbours.ts" with { type: "text" };
import * as partNetwork from "#plugins/plugin-template/backend/parts/network.ts" with { type: "text" };
import * as partPeople from "#plugins/plugin-template/backend/parts/people.ts" with { type: "text" };
import * as partRoutes from "#plugins/plugin-template/backend/parts/routes.ts" with { type: "text" };
import * as partSchedule from "#plugins/plugin-template/backend/parts/schedule.ts" with { type: "text" };
import * as partSettings from "#plugins/plugin-template/backend/parts/settings.ts" with { type: "text" };
import * as partValues from "#plugins/plugin-template/backend/parts/values.ts" with { type: "text" };
import * as pageElement from "#plugins/plugin-template/frontend/element.ts" with { type: "text" };
import * as pageFurtherParts from "#plugins/plugin-template/frontend/further-parts.ts" with { type: "text" };
import * as pageIndexCss from "#plugins/plugin-template/frontend/index.css" with { type: "text" };
import * as pageIndex from "#plugins/plugin-template/frontend/index.ts" with { type: "text" };
import * as pagePageParts from "#plugins/plugin-template/frontend/page-parts.ts" with { type: "text" };
import * as pagePart from "#plugins/plugin-template/frontend/part.ts" with { type: "text" };
import * as pagePartView from "#plugins/plugin-template/frontend/part-view.ts" with { type: "text" };
import * as pageParts from "#plugins/plugin-template/frontend/parts.ts" with { type: "text" };
import * as pageSources from "#plugins/plugin-template/frontend/sources.ts" with { type: "text" };
import * as pageTexts from "#plugins/plugin-template/frontend/texts.ts" with { type: "text" };
import manifest from "#plugins/plugin-template/plugin.json" with { type: "json" };
import * as readmeMd from "#plugins/plugin-template/README.md" with { type: "text" };
import * as testPluginTest from "#plugins/plugin-template/test/plugin.test.ts" with { type: "text" };
import * as tsconfigJson from "#plugins/plugin-template/tsconfig.json" with { type: "text" };

/** The manifest of the plugin template. */
export const templateManifest: object = manifest;

/** The sources of the plugin template as texts, by path, except for what is generated from the SDK. */
export const templateFiles: ReadonlyMap<string, string> = new Map(
  (
    [
      ["README.md", readmeMd],
      ["backend/answering.ts", backendAnswering],
      ["backend/fields-of.ts", backendFieldsOf],
      ["backend/index.ts", backendIndex],
      ["backend/parts/activity.ts", partActivity],
      ["backend/parts/events.ts", partEvents],
      ["backend/parts/files.ts", partFiles],
      ["backend/parts/guard.ts", partGuard],
      ["backend/parts/life.ts", partLife],
      ["backend/parts/log.ts", partLog],
      ["backend/parts/neighbours.ts", partNeighbours],
      ["backend/parts/network.ts", partNetwork],
      ["backend/parts/people.ts", partPeople],
      ["backend/parts/routes.ts", partRoutes],
      ["backend/parts/schedule.ts", partSchedule],
      ["backend/parts/settings.ts", partSettings],
      ["backend/parts/values.ts", partValues],
      ["frontend/element.ts", pageElement],
      ["frontend/further-parts.ts", pageFurtherParts],
      ["frontend/index.css", pageIndexCss],
      ["frontend/index.ts", pageIndex],
      ["frontend/page-parts.ts", pagePageParts],
      ["frontend/part-view.ts", pagePartView],
      ["frontend/part.ts", pagePart],
      ["frontend/parts.ts", pageParts],
      ["frontend/sources.ts", pageSources],
      ["frontend/texts.ts", pageTexts],
      ["test/plugin.test.ts", testPluginTest],
      ["tsconfig.json", tsconfigJson],
    ] as const
  ).map(([path, module]) => [path, String(Reflect.get(module, "default"))]),
);
