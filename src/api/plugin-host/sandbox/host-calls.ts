import { pluginLimits } from "#contract/plugins.ts";
import { type HostFault, hostFaultNames, type RuntimeHost } from "../runtime.ts";
import { createAllowance } from "./allowance.ts";
import type { FromChild, ToChild } from "./messages.ts";
import { isText, readObject } from "./read-object.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

/** How a process broke the rules between it and the server, or `null`. */
export type Offence = string | null;

/** Calls of the host that a plugin's process makes. */
export type HostCalls = {
  /** Has the host do what is asked, and sends what comes of it. */
  take(
    call: Pick<HostCall, "id" | "op">,
    asked: { args: unknown; sizeBytes: number; hasCaller: boolean },
  ): Offence;
};

type HostCall = Extract<FromChild, { type: "call" }>;

/**
 * Answers calls of the host. The process keeps its plugin within the limits by itself, so that whoever is far beyond
 * them is not the plugin but a process that has been taken over.
 */
export const createHostCalls = (
  host: RuntimeHost,
  send: (message: ToChild, body?: string) => void,
): HostCalls => {
  const open = new Set<number>();
  const calls = createAllowance(pluginLimits.hostCallsASecond * slack, 1000);
  const bytes = createAllowance(sandboxLimits.callBytesASecond * slack, 1000);

  const refuse = (id: number, { name, message }: HostFault): void =>
    send({ type: "fault", id, name, message });

  const answer = async (id: number, asking: () => ReturnType<RuntimeHost["call"]>): Promise<void> => {
    try {
      const json = JSON.stringify(await asking());
      if (json !== undefined && Buffer.byteLength(json) > sandboxLimits.answerBytes)
        throw { name: "LIMIT_EXCEEDED", message: "The answer is too large" } satisfies HostFault;
      send({ type: "answer", id }, json);
    } catch (error) {
      refuse(id, readFault(error));
    } finally {
      open.delete(id);
    }
  };

  return {
    take: ({ id, op }, { args, sizeBytes, hasCaller }) => {
      if (!Array.isArray(args) || open.has(id)) return "a call has not the form of one";
      if (!calls.take(1) || !bytes.take(sizeBytes)) return "it called the host too often";
      // Calls of an interpreter that was given up may still be under way beside those of the new one.
      if (open.size >= pluginLimits.hostCallsAtOnce)
        refuse(id, { name: "LIMIT_EXCEEDED", message: "Too many calls are open at once" });
      else {
        open.add(id);
        void answer(id, () => host.call(op, args, hasCaller));
      }
      return null;
    },
  };
};

/** What the host refused with; anything else is a fault of its own, of which plugins learn nothing. */
const readFault = (error: unknown): HostFault => {
  const { name, message } =
    error instanceof Error ? { name: error.name, message: error.message } : (readObject(error) ?? {});
  const known = hostFaultNames.find((one) => one === name);
  return known !== undefined && isText(message, maxMessage)
    ? { name: known, message }
    : { name: "FAILED", message: "The host could not do this" };
};

const slack = 3;
const maxMessage = 2000;
