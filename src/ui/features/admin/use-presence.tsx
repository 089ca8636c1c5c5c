import { type ReactNode, useState } from "react";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { useSession } from "#ui/lib/session.ts";

/** The password, where the server wants it. */
export type Proof = { password?: string };

/** Makes a call that the server wants the password for unless its reader signed in a moment ago. */
export type Present = <T>(send: (proof: Proof) => Promise<T>) => Promise<T>;

type Asked = { tryWith: (password: string) => Promise<void>; cancel: () => void };

/**
 * Calls that are for somebody who sits here: where the server wants the password it is asked for, and the call made again
 * with it. Who cancels, or has none, gets the server's refusal. `prompt` is the question, to be shown on the page.
 */
export const usePresence = (): { present: Present; prompt: ReactNode } => {
  const [asked, setAsked] = useState<Asked | null>(null);
  const present: Present = async (send) => {
    try {
      return await send({});
    } catch (refusal) {
      if (!isStale(refusal) || !(await hasPassword())) throw refusal;
      return new Promise((resolve, reject) =>
        setAsked({
          tryWith: async (password) => {
            try {
              resolve(await send({ password }));
            } catch (error) {
              if (isAboutPassword(error)) throw error;
              reject(error);
            }
            setAsked(null);
          },
          cancel: () => {
            setAsked(null);
            reject(refusal);
          },
        }),
      );
    }
  };
  return { present, prompt: asked !== null && <PasswordPrompt {...asked} /> };
};

const isStale = (error: unknown) => error instanceof ApiError && error.code === "REAUTHENTICATION_REQUIRED";

const isAboutPassword = (error: unknown) =>
  error instanceof ApiError && error.errors.some(({ path }) => path === "password");

const PasswordPrompt = ({ tryWith, cancel }: Asked) => {
  const { user } = useSession();
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { password: (value) => (value === "" ? pageAuthTexts.passwordRequired : null) },
    send: ({ password }) => tryWith(password),
    explain: (error) => failureText(error, presenceTexts.failed),
  });
  return (
    <Dialog open onOpenChange={cancel} title={presenceTexts.title} description={presenceTexts.lead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={user?.email ?? ""}
            readOnly
            hidden
          />
          <PasswordField
            label={presenceTexts.password}
            name="password"
            autoComplete="current-password"
            error={errors.password}
          />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={cancel}>
              {presenceTexts.cancel}
            </Button>
            <Button type="submit" isBusy={isBusy}>
              {presenceTexts.confirm}
            </Button>
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
};

/** Whether the reader has a password to confirm with. */
const hasPassword = async (): Promise<boolean> => (await client.account.get()).data.hasPassword;

/** Words of the question for the password. */
export const presenceTexts = {
  title: "Confirm that it is you",
  lead: "You signed in more than ten minutes ago.",
  password: "Your password",
  cancel: "Cancel",
  confirm: "Confirm",
  failed: "This could not be confirmed",
} as const;
