import { useState } from "react";
import type { AddressEntry } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { addressTexts as texts } from "../rule-texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

/** Deleting entries at once, with the way back: they are added again as they were. */
export type Deletion = ReturnType<typeof useDeletion>;

/** `onDeleted` is called when entries are gone. */
export const useDeletion = (onDeleted: () => void) => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const [gone, setGone] = useState<AddressEntry[]>([]);
  const [busy, setBusy] = useState<"delete" | "undo" | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (what: "delete" | "undo", work: () => Promise<void>) => {
    if (busy !== null) return;
    setBusy(what);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(saveFailure(error));
    } finally {
      setBusy(null);
    }
  };

  const remove = (entries: AddressEntry[]) =>
    run("delete", async () => {
      const ids = entries.map(({ id }) => id);
      await save((revision) => calls.deleteAddresses(ids, { revision }));
      setGone(entries);
      onDeleted();
    });

  const bringBack = () =>
    run("undo", async () => {
      const left: AddressEntry[] = [];
      let cause: unknown = null;
      await save(async () => {
        for (const entry of gone) {
          const { kind, range, note, expiresAt } = entry;
          try {
            await calls.addAddress({ kind, address: range, note, expiresAt });
          } catch (error) {
            left.push(entry);
            cause = error;
          }
        }
      });
      setGone(left);
      if (left.length === 0) api.notify(texts.undone);
      else setFailure(`${texts.undoFailed(String(left.length))} ${saveFailure(cause)}`);
    });

  return {
    gone,
    busy,
    failure,
    remove: (entries: AddressEntry[]) => void remove(entries),
    undo: () => void bringBack(),
    forget: () => setGone([]),
  };
};
