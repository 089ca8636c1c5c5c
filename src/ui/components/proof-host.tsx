import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { askProofWith } from "#ui/lib/api.ts";
import { askSessionAgain } from "../lib/session.ts";
import type { ProofQuestion } from "./proof-dialog.tsx";

const ProofDialog = lazy(async () => ({ default: (await import("./proof-dialog.tsx")).ProofDialog }));

/** The place of the question "Confirm it's you", whose code comes when it is first asked. */
export const ProofHost = () => {
  const [question, setQuestion] = useState<ProofQuestion | null>(null);
  const opener = useOpener();
  useEffect(
    () =>
      askProofWith(
        (wanted) =>
          new Promise((resolve) => {
            const answer = (isConfirmed: boolean) => {
              setQuestion(null);
              resolve(isConfirmed);
              if (isConfirmed) askSessionAgain();
              else giveBack(opener.current);
            };
            setQuestion({ wanted, answer });
          }),
      ),
    [opener],
  );
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <div data-proof>
        {/* The second question may come before the first is drawn as gone. */}
        <ProofDialog key={question.wanted.wanted} {...question} />
      </div>
    </Suspense>
  );
};

/** What was focused last outside the question: a button that waits for an answer is disabled, and loses the focus. */
const useOpener = (): RefObject<HTMLElement | null> => {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.closest("[data-proof]") === null) opener.current = target;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  return opener;
};

/** Focuses what the question was asked for, once it is enabled again, unless the focus has found another place. */
const giveBack = (opener: HTMLElement | null): void => {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) opener?.focus();
    }),
  );
};
