import type { Json, Kv } from "#plugins/sdk/types.ts";
import { createPartedDocument, DocumentDamaged } from "../stored.ts";
import { texts } from "../texts.ts";
import type { RulesTrouble } from "../wire.ts";
import { noRules, type Rules, RulesDamaged, readRulesDocument } from "./rules.ts";

/** The rules in force, as they were read last. */
type RulesState = {
  rules: Rules;
  /** Grows with each change of rules or switches. */
  revision: number;
  /** Of the stored document: what a change must be written over. */
  version: number;
  trouble: RulesTrouble | null;
};

/** The stored rules, and a copy of them for the day on which they are damaged. */
export type RulesStore = ReturnType<typeof createRulesStore>;

/** Nothing is read yet: no rules are in force. */
export const createRulesStore = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">) => {
  const stored = createPartedDocument(kv, "rules");
  const copy = createPartedDocument(kv, "rules-copy");
  let isLoaded = false;
  let state: RulesState = { rules: noRules, revision: 0, version: 0, trouble: null };

  const keep = (next: RulesState): RulesState => {
    isLoaded = true;
    state = next;
    return next;
  };

  const troubleOf = async (error: unknown): Promise<Pick<RulesTrouble, "kind" | "message">> => {
    const isDamage = error instanceof DocumentDamaged || error instanceof RulesDamaged;
    // A row that is no JSON and a database that is away fail alike: another row tells which it is.
    const isReachable =
      isDamage ||
      (await kv.get("probe").then(
        () => true,
        () => false,
      ));
    return isReachable
      ? { kind: "unreadable", message: texts.rulesUnreadable }
      : { kind: "unreachable", message: texts.rulesUnreachable };
  };

  const readCopy = async (): Promise<Omit<RulesState, "trouble" | "version"> | null> => {
    try {
      const found = await copy.read();
      return found === null ? null : readRulesDocument(found.value);
    } catch {
      return null;
    }
  };

  const fallBack = async (error: unknown): Promise<RulesState> => {
    const trouble = await troubleOf(error);
    if (isLoaded) {
      state = { ...state, trouble: { ...trouble, inForce: state.trouble?.inForce ?? "last-good" } };
      return state;
    }
    const found = trouble.kind === "unreadable" ? await readCopy() : null;
    const inForce = found === null ? "defaults" : "copy";
    const next = {
      rules: found?.rules ?? noRules,
      revision: found?.revision ?? 0,
      version: 0,
      trouble: { ...trouble, inForce } as const,
    };
    if (found !== null) return keep(next);
    state = next;
    return next;
  };

  const write = async (rules: Rules, ifVersion?: number): Promise<RulesState> => {
    const revision = state.revision + 1;
    const document = { revision, rules } satisfies Json;
    const version = await stored.write(document, ifVersion);
    // Without its newest copy the rules are as good: the copy is only for the day on which they are damaged.
    await copy.write(document).catch(() => {});
    return keep({ rules, revision, version, trouble: null });
  };

  return {
    get state() {
      return state;
    },
    /** Reads what is stored; never throws: what was good last stays, and `trouble` says why. */
    load: async (): Promise<RulesState> => {
      try {
        const found = await stored.read();
        if (found === null)
          return keep({ rules: noRules, revision: state.revision, version: 0, trouble: null });
        return keep({ ...readRulesDocument(found.value), version: found.version, trouble: null });
      } catch (error) {
        return fallBack(error);
      }
    },
    /** Whether what is stored may be something else than what is in force. */
    isOutdated: async () => {
      if (state.trouble !== null) return true;
      // What cannot be asked for its version has to be looked at.
      return stored.version().then(
        (version) => version !== state.version,
        () => true,
      );
    },
    /** Writes over what is in force, with the next revision. Throws `CONFLICT` when somebody else was faster. */
    save: (rules: Rules): Promise<RulesState> => write(rules, state.version),
    /** Writes what is in force over whatever is stored. */
    restore: (): Promise<RulesState> => write(state.rules),
  };
};
