import { lazy, Suspense, useEffect, useState } from "react";
import { askProofWith } from "#ui/lib/api.ts";
import type { ProofQuestion } from "./proof-dialog.tsx";

const ProofDialog = lazy(async () => ({ default: (await import("./proof-dialog.tsx")).ProofDialog }));

/** The place of the question "Confirm it's you", whose code comes when it is first asked. */
export const ProofHost = () => {
  const [question, setQuestion] = useState<ProofQuestion | null>(null);
  useEffect(
    () =>
      askProofWith(
        (wanted) =>
          new Promise((resolve) => {
            const answer = (isConfirmed: boolean) => {
              setQuestion(null);
              resolve(isConfirmed);
            };
            setQuestion({ wanted, answer });
          }),
      ),
    [],
  );
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog {...question} />
    </Suspense>
  );
};
