import type { Ctx, Json, PluginRequest, Reply } from "#plugins/sdk/types.ts";
import type { LicenseService } from "./license-service.ts";
import { routeOptions } from "./route-options.ts";
import { doneTexts, lastDayText } from "./texts.ts";
import type { LicenceAnswer, LicenceView } from "./wire.ts";

// A footer that is a few minutes behind is harmless, and visitors' requests are limited.
const statusHeaders = { "cache-control": "public, max-age=300" };

/** The plugin's routes: the public status for the footer, and what admins see and change. */
export const addRoutes = (ctx: Ctx, service: LicenseService): void => {
  ctx.routes.get("/status", routeOptions.status, async () =>
    ctx.respond({ headers: statusHeaders, json: { success: true, data: await service.status() } }),
  );

  ctx.routes.get("/licence", routeOptions.view, async () =>
    answer({ success: true, data: await service.view() }),
  );

  ctx.routes.put("/licence", routeOptions.enter, async ({ id, body, user }) => {
    const entered = await service.enter(String(Reflect.get(Object(body), "key")));
    if ("reason" in entered) return refusal(ctx, { id, status: 422, message: entered.reason });
    const { view } = entered;
    await ctx.activity.log({
      type: "configuration_changed",
      action: "Entered a license",
      description: `${describe(view)}, ${byWhom(user)}`,
    });
    return answer({ success: true, message: doneTexts.entered(holderOf(view)), data: view });
  });

  ctx.routes.delete("/licence", routeOptions.remove, async ({ id, user }) => {
    const before = await service.view();
    const view = await service.remove();
    if (view === null) return refusal(ctx, { id, status: 404, message: doneTexts.nothingToRemove });
    await ctx.activity.log({
      type: "configuration_changed",
      action: "Removed the license",
      description: `${describe(before)}, ${byWhom(user)}`,
      severity: "medium",
    });
    return answer({ success: true, message: doneTexts.removed, data: view });
  });
};

const answer = (sent: LicenceAnswer): Json => sent;

const refusal = (
  ctx: Ctx,
  { id, status, message }: { id: PluginRequest["id"]; status: 404 | 422; message: string },
): Reply =>
  ctx.respond({
    status,
    json: {
      ...{ success: false, message, requestId: id },
      ...(status === 404
        ? { code: "NOT_FOUND" }
        : { code: "VALIDATION_FAILED", errors: [{ path: "key", message }] }),
    },
  });

/** Owner and plan; a license that was just entered is valid, so it has an owner. */
const holderOf = ({ owner, plan }: LicenceView) => ({ owner: owner ?? "", plan });

const describe = ({ licence }: LicenceView): string => {
  if (licence === null) return "A key that could not be read";
  const { id, owner, plan, expiresAt } = licence;
  return `${id}: ${owner} (${plan}), ${expiresAt === null ? "no expiry date" : `through ${lastDayText(expiresAt)}`}`;
};

const byWhom = (user: PluginRequest["user"]): string =>
  user === null ? "by the operator" : `by ${user.name}`;
