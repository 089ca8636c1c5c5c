import { Alert, Button, ConfirmDialog } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import type { RulesTrouble } from "../backend/wire.ts";
import { troubleTexts as texts } from "./texts.ts";
import { useFirewall } from "./use-firewall.ts";

/** Says what is wrong with the stored rules, what is in force meanwhile, and what to do. */
export const TroubleBanner = ({ trouble }: { trouble: RulesTrouble }) => {
  const { calls, refresh } = useFirewall();
  const [isAsking, setIsAsking] = useState(false);
  const { kind, message, inForce } = trouble;
  const restore = async () => {
    await calls.restoreRules();
    await refresh();
    setIsAsking(false);
  };
  return (
    <>
      <Alert
        severity="error"
        title={texts.title[kind]}
        actions={
          kind === "unreadable" && (
            <Button variant="outline" size="sm" onClick={() => setIsAsking(true)}>
              {texts.restore}
            </Button>
          )
        }
      >
        <p>{message}</p>
        <p>
          {texts.inForce[inForce]} {texts.remedy[kind]}
        </p>
      </Alert>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.question}
        question={texts.questionText}
        action={texts.restore}
        fallback={texts.restoreFailed}
        onConfirm={restore}
      />
    </>
  );
};
