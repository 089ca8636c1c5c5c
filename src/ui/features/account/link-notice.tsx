import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { notify } from "#ui/lib/notices.ts";
import { readLinkOutcome } from "./link-outcome.ts";
import { accountScreenTexts as texts } from "./texts.ts";

/** Tells how linking a provider ended, once: the address forgets it, so that a reload does not tell it again. */
export const LinkNotice = () => {
  const [search, setSearch] = useSearchParams();
  const [outcome] = useState(() => readLinkOutcome(search));
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => {
    if (outcome === null) return;
    if (outcome.step === "linked") notify({ tone: "success", message: texts.linkDone(outcome.label) });
    setSearch({}, { replace: true });
  }, [outcome, setSearch]);
  if (outcome?.step !== "failed" || isClosed) return null;
  return (
    <Alert severity="error" onClose={() => setIsClosed(true)}>
      {texts.linkRefused}
    </Alert>
  );
};
