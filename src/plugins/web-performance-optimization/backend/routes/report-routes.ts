import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { ReportDesk } from "../report/create-report-desk.ts";
import type { Report } from "../wire.ts";
import { refusal } from "./refusal.ts";
import { reportOptions } from "./route-options.ts";

/** The measurement of what switches do: begun, looked at, ended. */
export const addReportRoutes = (ctx: NativeCtx, desk: ReportDesk): void => {
  ctx.routes.get("/report", reportOptions.get, async () => {
    const state = await desk.state();
    return { ...state, rows: rowsOf(state.report) };
  });

  ctx.routes.post("/report", reportOptions.start, async ({ id, user }) => {
    if (!desk.start()) return ctx.respond(conflict(id, "A measurement is under way already."));
    await ctx.activity.log({
      type: "admin_action",
      action: "Began to measure what switches do",
      description: user === null ? "By the operator" : `By ${user.name}`,
    });
    return { message: "The measurement has begun." };
  });

  ctx.routes.delete("/report", reportOptions.end, ({ id }) =>
    desk.cancel()
      ? { message: "The measurement is being ended." }
      : ctx.respond(conflict(id, "No measurement is under way.")),
  );
};

const conflict = (id: string, message: string) => refusal({ id }, { status: 409, code: "CONFLICT", message });

/** Every address of every switch, one below the other: for tables. */
const rowsOf = (report: Report | null) =>
  (report?.switches ?? []).flatMap(({ name, rows }) =>
    rows.map(({ path, off, on }) => ({
      switch: name,
      path,
      bytesOff: off.bytes,
      bytesOn: on.bytes,
      msOff: off.ms,
      msOn: on.ms,
    })),
  );
