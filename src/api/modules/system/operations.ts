import { implement } from "#api/core/implement.ts";
import type { Readiness } from "#api/core/readiness.ts";
import { systemContract } from "./contract.ts";
import { readAdminInfo } from "./read-admin-info.ts";
import { readParts } from "./read-readiness.ts";
import { readSupport } from "./read-support.ts";
import { readSystemInfo } from "./read-system-info.ts";
import { readSystemStatus } from "./read-system-status.ts";

/** What does the operations about the installation; its readiness is there before the first call. */
export const systemOperations = (readiness: () => Readiness) =>
  implement("system", systemContract, {
    health: async () => ({ status: "alive" as const }),
    overview: readAdminInfo,
    parts: (ctx) => readParts(ctx, readiness()),
    info: readSystemInfo,
    status: readSystemStatus,
    support: readSupport,
  });
