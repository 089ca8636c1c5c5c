import { useLocation } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import type { FormProblem } from "#ui/components/ui/use-form.ts";
import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { loginPath } from "#ui/lib/origin.ts";
import { logout } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { accountScreenTexts as texts } from "./texts.ts";

type OwnerProblemProps = {
  problem: FormProblem;
  /** What to do once signed in again. */
  afterwards: string;
};

/** Why something that only the owner may do was refused; where a fresh sign-in is wanted, the way to it and back here. */
export const OwnerProblem = ({ problem, afterwards }: OwnerProblemProps) => {
  const { cause, message } = problem;
  const isStale = cause instanceof ApiError && cause.code === "REAUTHENTICATION_REQUIRED";
  if (!isStale) return <Alert severity="error">{message}</Alert>;
  return <SignInAgain message={message} afterwards={afterwards} />;
};

const SignInAgain = ({ message, afterwards }: { message: string; afterwards: string }) => {
  const [, navigate] = useLocation();
  const { act, isBusy, error } = useAct(() => logout(() => navigate(loginPath("/dashboard"))));
  return (
    <Alert
      severity="warning"
      title={message}
      actions={
        <Button variant="outline" size="sm" isBusy={isBusy} onClick={act}>
          {texts.signInAgain}
        </Button>
      }
    >
      {error === null ? afterwards : failureText(error, texts.endFailed)}
    </Alert>
  );
};
