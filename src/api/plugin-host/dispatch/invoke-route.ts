import { AppError } from "#api/core/app-error.ts";
import type { Json, PluginRequest } from "#plugins/sdk/types.ts";
import { faultText } from "../fault-text.ts";
import type { LivePlugin } from "../live-plugin.ts";
import { InvocationError } from "../runtime.ts";
import type { CompiledRoute } from "./compile-routes.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";

/** Adds a line to a plugin's log. */
export type LogLine = (plugin: string, level: "error" | "warn", message: string) => void;

/**
 * Has a plugin answer a call. Rejects with `PLUGIN_ERROR` when it throws or answers with something that cannot be sent,
 * and with `PLUGIN_UNAVAILABLE` when it is not there, too busy or too slow; why is for its log alone.
 */
export const invokeRoute = async (
  { live, route, log }: { live: LivePlugin; route: CompiledRoute; log: LogLine },
  request: PluginRequest,
): Promise<Outcome> => {
  const { name, title } = live.manifest;
  const { method, path, handler } = route.registered;
  try {
    return readOutcome(await live.runtime.invoke(handler, asJson(request)));
  } catch (cause) {
    const kind = cause instanceof InvocationError ? cause.kind : "threw";
    if (kind !== "unavailable")
      log(name, kind === "too-many" ? "warn" : "error", `${method} ${path}: ${faultText(name, cause)}`);
    if (kind === "threw" || kind === "too-large")
      throw new AppError("PLUGIN_ERROR", `${title} failed to answer`, { cause });
    throw new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1, cause });
  }
};

/** A request holds nothing but JSON; its type says more than that of JSON can. */
const asJson = (request: PluginRequest): Json => request as unknown as Json;
