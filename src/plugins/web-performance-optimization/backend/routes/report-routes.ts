import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { ReportDesk } from "../report/create-report-desk.ts";
import type { Report } from "../wire.ts";
import { refusal } from "./refusal.ts";

/** The measurement of what switches do: begun, looked at, ended. */
export const addReportRoutes = (ctx: NativeCtx, desk: ReportDesk): void => {
  ctx.routes.get("/report", { summary: "The last measurement, and the one under way" }, async () => {
    const state = await desk.state();
    return { ...state, rows: rowsOf(state.report) };
  });

  ctx.routes.post("/report", { summary: "Begins a measurement of what switches do" }, async ({ user }) => {
    if (!desk.start()) return ctx.respond(refusal(409, "CONFLICT", "A measurement is under way already."));
    await ctx.activity.log({
      type: "admin_action",
      action: "Began to measure what switches do",
      description: user === null ? "By the operator" : `By ${user.name}`,
    });
    return { message: "The measurement has begun." };
  });

  ctx.routes.delete("/report", { summary: "Ends the measurement under way" }, () =>
    desk.cancel()
      ? { message: "The measurement is being ended." }
      : ctx.respond(refusal(409, "CONFLICT", "No measurement is under way.")),
  );
};

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
