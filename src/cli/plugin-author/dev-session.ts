import type { Client } from "#cli/client.ts";
import { Declined } from "#cli/confirm.ts";
import { type SentConsent, withConsent } from "#cli/consent.ts";
import { CliFailure, type FailureKind } from "#cli/failure.ts";
import type { Invocation } from "#cli/invocation.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { printable } from "#cli/output.ts";
import { toFailure } from "#cli/to-failure.ts";
import type { Plugin } from "#contract/plugins.ts";

/** A plugin that is being written and runs on a server meanwhile. */
export type DevSession = {
  /** Builds what is there now and puts it in force; what stands against it is told to the author. Throws only what ends the session. */
  deploy(): Promise<void>;
  /** Its name, once it could be built. */
  name(): string | null;
};

/** Works on the plugin in `folder`, on the server behind `client`. */
export const createDevSession = (
  invocation: Invocation,
  { client, folder }: { client: Client; folder: string },
): DevSession => {
  const { output, composition } = invocation;
  const agreed = new Set<string>();
  let name: string | null = null;

  /** Makes a call that may need consent; what the author agreed to is not asked again. */
  const consenting = async (
    plugin: string,
    call: (consent: SentConsent) => Promise<Plugin>,
  ): Promise<Plugin> => {
    try {
      return await call({});
    } catch (error) {
      if (!(error instanceof CliFailure) || error.kind !== "CONSENT_REQUIRED") throw error;
      const wanted = JSON.stringify(Reflect.get(Object(error.data), "permissions"));
      if (agreed.has(wanted))
        return call({ consent: true, sha256: String(Reflect.get(Object(error.data), "sha256")) });
      return withConsent(invocation, plugin, async (consent) => {
        if (consent.consent !== true) throw error;
        agreed.add(wanted);
        return call(consent);
      });
    }
  };

  const putInForce = async (zip: Uint8Array, version: string): Promise<Plugin> => {
    const file = { field: "plugin", name: "dev.zip", bytes: zip };
    const stored = await client.upload("POST /api/plugins/upload", {
      file,
      query: { allowDowngrade: "true" },
    });
    const { name: of, enabled, pendingVersion } = stored;
    const { plugins } = operationsOf(client);
    if (!enabled)
      return consenting(
        of,
        async (consent) => (await plugins.toggle({ name: of, enabled: true, ...consent })).data,
      );
    if (pendingVersion !== version) return stored;
    return consenting(
      of,
      async (consent) => (await plugins.activateVersion({ name: of, version, ...consent })).data,
    );
  };

  return {
    name: () => name,
    deploy: async () => {
      const startedMs = performance.now();
      try {
        const { pack } = await composition.pluginTools();
        const { zip, manifest } = await pack(folder, {
          version: (declared) => devVersion(declared, Date.now()),
        });
        const plugin = await putInForce(zip, manifest.version);
        name = plugin.name;
        const tookMs = Math.round(performance.now() - startedMs);
        output.note(printable(`${plugin.name} ${plugin.version}: ${plugin.state} (${tookMs} ms)`));
      } catch (error) {
        if (error instanceof Declined) {
          output.note("Not put in force. At the next change you are asked again.");
          return;
        }
        const failure = toFailure(error);
        if (endsSession.has(failure.kind)) throw error;
        for (const line of linesOf(failure)) output.note(line);
      }
    },
  };
};

// `USAGE`: there is nobody to ask.
const endsSession: ReadonlySet<FailureKind> = new Set(["CANCELLED", "UNREACHABLE", "USAGE"]);

const linesOf = ({ message, errors }: CliFailure): string[] => [
  `error: ${printable(message)}`,
  ...errors.map(({ path, message: complaint }) =>
    printable(`  ${[path, complaint].filter(Boolean).join(": ")}`),
  ),
];

/**
 * The version under which a plugin runs that is being written: before the one it will have, and after all that came
 * before. Source: Semantic Versioning 2.0.0, §11.
 */
export const devVersion = (declared: string, nowMs: number): string => {
  const [plain = ""] = declared.split("+");
  return `${plain}${plain.includes("-") ? "." : "-"}dev.${nowMs}`;
};
