import { eq } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Candidate, Trial } from "#api/core/plugins.ts";
import { within } from "#api/core/timing.ts";
import { lockName } from "#api/db/data-folder.ts";
import { plugins } from "#api/db/schema.ts";
import { effectiveSettings } from "#api/modules/plugins/index.ts";
import type { Permission, TrustedKey } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { routesProblem } from "../dispatch/plugin-routes.ts";
import { checkRegistration } from "../host-functions/check-registration.ts";
import type { HostedPlugin } from "../host-functions/host-function.ts";
import { type BundledContents, isSignatureProblem } from "../package/judge.ts";
import type { PackagePlace, PackageSource } from "../package/package-source.ts";
import { type ReadPackage, textOf } from "../package/read-package.ts";
import {
  noBackend,
  type PluginRuntime,
  type RuntimeHost,
  SlowStartError,
  StartFailure,
  type StartRuntime,
} from "../runtime.ts";
import { type DesiredPlugin, findStored } from "./host-store.ts";
import { createFailureLine, type InvocationWatch, type PluginInstance } from "./plugin-instance.ts";
import type { PluginLogs } from "./plugin-reports.ts";

/** A version to start, and its inputs. */
type StartOrder = {
  place: PackagePlace;
  /** The key under which its values, secrets and files are stored. */
  dataKey: string;
  granted: Permission[];
  settings: Readonly<Record<string, Json>>;
  /** The bytes that admins consented to; `null` if they were not asked. */
  consentedSha256: string | null;
  publisherKeyId: string | null;
  /** Stored data already fits this version, as far as is known. */
  isMigrated: boolean;
};

/** Starts plugins. Both reject with a {@link StartFailure}. */
export type PluginStarter = {
  /** Reads and verifies the package, without running anything. */
  verify(order: StartOrder): Promise<ReadPackage>;
  /** Starts the version; nothing of it runs if that fails. */
  start(order: StartOrder): Promise<PluginInstance>;
};

type PluginStarterOptions = Pick<Services, "clock"> & {
  source: PackageSource;
  logs: PluginLogs;
  replica: string;
  runtimes: { sandbox: StartRuntime; native: StartRuntime };
  hostCalls: (plugin: HostedPlugin) => RuntimeHost["call"];
  /** The keys that are trusted now. */
  keys: () => Promise<readonly TrustedKey[]>;
  contents: () => Promise<BundledContents>;
  migrateOnce: MigrateOnce;
  allowUnsigned: boolean;
  allowNative: boolean;
  /** Traces each call of the plugin's code. */
  watch?: InvocationWatch | undefined;
  /** It registered something without permission. */
  overstepped: (name: string, why: string) => void;
};

// A runtime enforces its own limits; beyond this, it has failed to.
const startMs = 20_000;

/** Creates the starter: from reading and verifying the package to the completed setup. */
export const createPluginStarter = (options: PluginStarterOptions): PluginStarter => {
  const { clock, source, logs, runtimes, hostCalls, replica } = options;

  const verify = async (order: StartOrder): Promise<ReadPackage> => {
    const [keys, contents] = await Promise.all([options.keys(), options.contents()]).catch((cause) => {
      throw new StartFailure("away", "The trusted keys can't be read at the moment", { cause });
    });
    const read = await source.open(order.place, {
      keys,
      allowUnsigned: options.allowUnsigned,
      allowNative: options.allowNative,
      now: clock.now(),
      storedAt: order.place.storedAt,
      bundled: contents,
      pinnedKeyId: order.publisherKeyId,
    });
    const [problem] = read.problems;
    if (problem !== undefined)
      throw new StartFailure(isSignatureProblem(problem) ? "distrust" : "refused", problem.message);
    const needsConsent = read.tier === "unsigned" || read.publisherChanged;
    if (needsConsent && order.consentedSha256 !== read.sha256)
      throw new StartFailure(
        "distrust",
        "Its signature is no longer trusted, and no admin has consented to it",
      );
    return read;
  };

  const start = async (order: StartOrder): Promise<PluginInstance> => {
    const read = await verify(order);
    const { manifest, sha256, tier } = read;
    const { name, version, backend } = manifest;
    const { granted, dataKey } = order;
    const settings = effectiveSettings(manifest.settings?.schema, order.settings);
    const line = createFailureLine(options.watch);
    const log: HostedPlugin["log"] = (level, message) => logs.write(name, level, message);
    const violated = (reason: string) =>
      line.tell({ kind: "violation", reason, hasRecovered: false, isSuspicious: true });
    const about = { manifest, version, sha256, granted };
    const calls = watchedCalls(hostCalls({ name, dataKey, version, manifest, granted, log, violated }));
    const host: RuntimeHost = { call: calls.call, log, failed: line.tell };
    const isInside = tier === "bundled" || (tier === "native" && backend?.runtime === "native");
    const begin = isInside ? runtimes.native : runtimes.sandbox;
    const runtime =
      backend === null
        ? noBackend(manifest)
        : await startInTime(
            begin(
              {
                ...{ name, version, settings, replica },
                source: textOf(read, backend.entry),
                permissions: granted.map((permission) => permission.name),
                limits: manifest.limits,
              },
              host,
            ),
          ).catch((cause) => {
            const { message } = describeError(cause);
            // Not its fault, and no reason to ever give up.
            const isOurs = calls.sawOutage() || cause instanceof SlowStartError;
            throw new StartFailure(isOurs ? "away" : "broken", message, { cause });
          });
    const problem = checkRegistration(runtime.registration, { granted, asked: manifest.permissions });
    if (problem?.permission) options.overstepped(name, problem.message);
    const complaint = problem?.message ?? routesProblem({ runtime, granted });
    if (complaint !== null) {
      await runtime.stop("shutdown");
      throw new StartFailure("broken", complaint);
    }
    const startedAt = clock.now();
    const instance = line.instance({ live: about, runtime, settings, startedAt, tier, dataKey });
    if (!order.isMigrated) await migrated(instance, options.migrateOnce);
    return instance;
  };

  return { verify, start };
};

const migrated = async (instance: PluginInstance, migrateOnce: MigrateOnce): Promise<void> => {
  try {
    await migrateOnce(instance);
  } catch (cause) {
    await instance.end("shutdown");
    if (cause instanceof StartFailure) throw cause;
    throw new StartFailure("away", "Its data can't be read at the moment", { cause });
  }
};

const startInTime = async (starting: Promise<PluginRuntime>): Promise<PluginRuntime> => {
  let isOver = false;
  const ended = starting.finally(() => {
    isOver = true;
  });
  try {
    return await within(startMs, ended);
  } catch (cause) {
    if (isOver) throw cause;
    // A start that finishes too late is not used.
    void ended.then(
      (late) => late.stop("shutdown"),
      () => {},
    );
    throw new SlowStartError(`It did not start within ${startMs} ms`, { cause });
  }
};

/** Remembers whether the host itself failed to do what was requested. */
const watchedCalls = (call: RuntimeHost["call"]) => {
  let isOut = false;
  return {
    sawOutage: () => isOut,
    call: async (...asked: Parameters<RuntimeHost["call"]>) => {
      try {
        return await call(...asked);
      } catch (fault) {
        if (Reflect.get(Object(fault), "name") === "UNAVAILABLE") isOut = true;
        throw fault;
      }
    },
  };
};

/** The start for a target state. Throws a {@link StartFailure} if its version is unknown. */
export const orderOf = ({ name, stored, ...wanted }: DesiredPlugin): StartOrder => {
  if (stored === null) throw new StartFailure("away", `Version ${wanted.version} is not stored`);
  const { version, sha256, objectKey, storedAt } = stored;
  const { dataKey, granted, settings, consentedSha256, publisherKeyId } = wanted;
  return {
    place: { name, version, sha256, objectKey, storedAt },
    ...{ dataKey, granted, settings, consentedSha256, publisherKeyId },
    isMigrated: wanted.migratedVersion === version,
  };
};

// A little more than runtimes allow.
const migrateMs = 65_000;
// Longer than another server can take for it.
const waitS = 70;

/** Lets a version migrate the data of another one. If that fails, it is ended and a {@link StartFailure} is thrown. */
const migratePlugin = async (instance: PluginInstance, from: string): Promise<void> => {
  const { runtime, version } = instance.live;
  if (from === version || !runtime.registration.hasMigrate) return;
  try {
    await within(migrateMs, runtime.migrate(from));
  } catch (cause) {
    await instance.end("update");
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartFailure("broken", `Its data could not be migrated to this version: ${reason}`, { cause });
  }
};

type TryPluginParts = {
  db: Database;
  logs: PluginLogs;
  starter: PluginStarter;
  turn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives a started version to the plugin's supervisor; `null` if there is none. */
  offer: ((name: string, instance: PluginInstance) => void) | null;
};

/**
 * Starts a version next to the active one, and migrates stored data to it. The caller has decided whether it may run;
 * the signature is verified here anyway. Throws `PLUGIN_START_FAILED` with the reason.
 */
export const tryPlugin = async (candidate: Candidate, parts: TryPluginParts): Promise<Trial> => {
  const { name, version, sha256, objectKey, storedAt = null, granted, migrateFrom } = candidate;
  const place = { name, version, sha256, objectKey, storedAt };
  try {
    const order = {
      place,
      granted,
      ...(await findStored(parts.db, name)),
      consentedSha256: sha256,
      publisherKeyId: null,
      isMigrated: true,
    };
    const instance = await parts.turn(() => parts.starter.start(order));
    if (migrateFrom !== null) await migratePlugin(instance, migrateFrom);
    parts.logs.note(name, "info", `Version ${version} was tried`);
    return {
      keep: () => {
        if (parts.offer === null) void instance.end("update");
        else parts.offer(name, instance);
      },
      discard: () => instance.end("update"),
    };
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause;
    parts.logs.note(name, "error", `Version ${version} could not start: ${cause.message}`);
    throw new AppError("PLUGIN_START_FAILED", cause.message, { cause });
  }
};

/** Migrates stored data to the version that starts, if no server has done so yet. */
type MigrateOnce = (instance: PluginInstance) => Promise<void>;

/** `isShared`: several servers may use the database, so that one has to wait while another migrates. */
export const createMigrateOnce =
  ({ db, isShared }: { db: Database; isShared: boolean }): MigrateOnce =>
  async (instance) => {
    const { version, manifest } = instance.live;
    const migrate = async (own: Database): Promise<void> => {
      const [row] = await own
        .select({ from: plugins.migratedVersion })
        .from(plugins)
        .where(eq(plugins.name, manifest.name));
      if (row === undefined || row.from === version) return;
      if (row.from !== null) await migratePlugin(instance, row.from);
      await own.update(plugins).set({ migratedVersion: version }).where(eq(plugins.name, manifest.name));
    };
    // The only session of an embedded database can't wait: the plugin needs it to store data meanwhile.
    if (!isShared) return migrate(db);
    await db.transaction(async (tx) => {
      await lockName(tx, `data of the plugin ${manifest.name}`, waitS);
      await migrate(tx);
    });
  };
