import { Elysia } from "elysia";
import type { Services } from "#api/core/context.ts";
import { createDoor, incomingOf } from "#api/door/door.ts";
import { accountOperations } from "#api/modules/account/operations.ts";
import type { ActivityStreams } from "#api/modules/activity/index.ts";
import { activityOperations } from "#api/modules/activity/operations.ts";
import { activityStreamRoutes } from "#api/modules/activity/stream-routes.ts";
import { authOperations } from "#api/modules/auth/operations.ts";
import { authRoutes } from "#api/modules/auth/routes.ts";
import { backupsOperations } from "#api/modules/backups/operations.ts";
import { contactOperations } from "#api/modules/contact/operations.ts";
import { emailChangesOperations } from "#api/modules/email-changes/operations.ts";
import { invitationsOperations } from "#api/modules/invitations/operations.ts";
import { mailOperations } from "#api/modules/mail/operations.ts";
import { passkeysOperations } from "#api/modules/passkeys/operations.ts";
import { pluginKeysOperations, pluginsOperations } from "#api/modules/plugins/operations.ts";
import { pluginPackageRoutes } from "#api/modules/plugins/routes.ts";
import { providersOperations } from "#api/modules/providers/operations.ts";
import { secondFactorsOperations } from "#api/modules/second-factors/operations.ts";
import { secretsOperations } from "#api/modules/secrets/operations.ts";
import { settingsOperations } from "#api/modules/settings/operations.ts";
import { snapshotsOperations } from "#api/modules/snapshots/operations.ts";
import { systemOperations } from "#api/modules/system/operations.ts";
import { type Probes, systemRoutes } from "#api/modules/system/routes.ts";
import { tokensOperations } from "#api/modules/tokens/operations.ts";
import { usersOperations } from "#api/modules/users/operations.ts";
import { type AssetParts, pluginAssetRoutes } from "#api/plugin-host/assets/routes.ts";
import { starterRoutes } from "#api/plugin-host/author/starter-routes.ts";
import { createResponseMap } from "./http/answers.ts";
import { documentRoutes, type ReadDocument } from "./http/document/api-document.ts";
import { failureOf, toAppError } from "./http/errors.ts";
import type { ServeMcp } from "./http/mcp/mcp-server.ts";
import { mcpRoutes } from "./http/mcp/routes.ts";
import { mountOperations, planRoutes } from "./http/mount-operations.ts";
import type { LoadedFeature } from "./load-features.ts";

/** What routes answer from. */
type RouteParts = AssetParts & {
  services: Services;
  streams: ActivityStreams;
  readDocument: ReadDocument;
  probes: Probes;
  serveMcp: ServeMcp;
};

/** All routes, and how they get their services before the first request. */
export type DeclaredRoutes = { elysia: ReturnType<typeof createRoutes>; answerFrom(parts: RouteParts): void };

/**
 * Declares every route. That takes as long as much else of a start and waits for nothing, so that a server does it while the
 * database is being opened. `features` are the product's own.
 */
export const declareRoutes = (features: readonly LoadedFeature[] = []): DeclaredRoutes => {
  let known: RouteParts | null = null;
  const parts = (): RouteParts => {
    if (known === null) throw new Error("a route was called before it was told what to answer from");
    return known;
  };
  return {
    elysia: createRoutes(parts, features),
    answerFrom: (found) => {
      known = found;
    },
  };
};

const createRoutes = (parts: () => RouteParts, features: readonly LoadedFeature[]) => {
  const door = createDoor();
  return new Elysia({ normalize: false })
    .mapResponse(createResponseMap(() => parts().services.appUrl.startsWith("https:")))
    .onError(({ error, code, set, request }) => {
      const { ctx, trace } = incomingOf(request);
      const appError = toAppError(error, code, ctx.requestId, parts().services.log);
      trace.failure = appError.kind;
      const failure = failureOf(appError, ctx.requestId);
      set.status = failure.status;
      Object.assign(set.headers, failure.headers);
      return failure.body;
    })
    .use(systemRoutes(door, () => parts().probes))
    .use(authRoutes(door))
    .use(activityStreamRoutes(door, () => parts().streams))
    .use(planRoutes(door))
    .use(
      mountOperations(door, [
        ...accountOperations,
        ...activityOperations,
        ...authOperations,
        ...backupsOperations,
        ...contactOperations,
        ...emailChangesOperations,
        ...invitationsOperations,
        ...mailOperations,
        ...passkeysOperations,
        ...pluginsOperations,
        ...pluginKeysOperations,
        ...providersOperations,
        ...secondFactorsOperations,
        ...secretsOperations,
        ...settingsOperations,
        ...snapshotsOperations,
        ...systemOperations(() => parts().probes.readiness),
        ...tokensOperations,
        ...usersOperations,
        ...features.flatMap(({ operations }) => operations),
      ]),
    )
    .use(pluginPackageRoutes(door))
    .use(pluginAssetRoutes(door, parts))
    .use(starterRoutes(door))
    .use(documentRoutes(door, () => parts().readDocument()))
    .use(mcpRoutes(door, (...call) => parts().serveMcp(...call)));
};
