import type { Ctx } from "../atrium-plugin.d.ts";

/** What one check found. `status` is `null` when there was no answer. */
export type Check = { at: string; isUp: boolean; isSlow: boolean; status: number | null; tookMs: number };

const kept = 50;

/** The last checks, newest first. */
export const history = async (ctx: Ctx): Promise<Check[]> => asChecks(await ctx.kv.get("history"));

/** Looks after the site once, keeps what it found, and says so when the site went down or came back. */
export const checkSite = async (ctx: Ctx): Promise<Check> => {
  const check = await ask(ctx);
  const before = await history(ctx);
  await ctx.kv.set("history", [check, ...before].slice(0, kept));
  const wasUp = before[0]?.isUp ?? true;
  if (check.isUp !== wasUp)
    await ctx.activity.log({
      type: "health_check_failed",
      action: check.isUp ? "The site is back" : "The site is down",
      description: `${ctx.settings.get("url")} answered with ${check.status ?? "nothing"}`,
      status: check.isUp ? "success" : "failure",
      severity: check.isUp ? "low" : "high",
    });
  return check;
};

const ask = async (ctx: Ctx): Promise<Check> => {
  const startedMs = Date.now();
  const at = new Date(startedMs).toISOString();
  try {
    const token = await ctx.secrets.get("token");
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const { status } = await ctx.fetch(String(ctx.settings.get("url")), { headers });
    const tookMs = Date.now() - startedMs;
    return { at, isUp: status < 400, isSlow: tookMs > Number(ctx.settings.get("slowMs")), status, tookMs };
  } catch (error) {
    ctx.log("warn", "The site cannot be reached", String(error));
    return { at, isUp: false, isSlow: false, status: null, tookMs: Date.now() - startedMs };
  }
};

/** Nothing but this file writes there. */
const asChecks = (value: unknown): Check[] => (value ?? []) as Check[];
