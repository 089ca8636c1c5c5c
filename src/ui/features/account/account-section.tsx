import { Download } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { nameComplaint } from "#contract/account-rules.ts";
import { LeaveQuestion } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccountCard, isMissing, MissingParts } from "./account-card.tsx";
import { changeName, exportData, getAccount } from "./api.ts";
import { DeleteCard } from "./delete-card.tsx";
import { MethodsCard } from "./methods-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { saveFile } from "./save-file.ts";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { accountScreenTexts as texts } from "./texts.ts";

const getFactors = async () => (await client.secondFactors.get()).data;
const listSessions = async () => (await client.account.sessions()).data.sessions;

/** Everything that users can do to their own account. What needs data that could not be had is in one message. */
export const AccountSection = ({ name }: { name: string }) => {
  const account = useLoad(getAccount);
  const factors = useLoad(getFactors);
  const sessions = useLoad(listSessions);
  return (
    <>
      <NameCard name={name} />
      <MissingParts parts={[account, factors, sessions]} />
      {!isMissing(account) && (
        <>
          <PasswordCard name={name} account={account} onChange={sessions.reload} />
          <MethodsCard account={account} />
        </>
      )}
      {!isMissing(factors) && <SecondFactorCard factors={factors} />}
      {!isMissing(sessions) && <SessionsCard sessions={sessions} />}
      <DataCard />
      {!isMissing(account) && <DeleteCard account={account} />}
    </>
  );
};

/** Changes the reader's name. */
const NameCard = ({ name }: { name: string }) => {
  const [typed, setTyped] = useState(name);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { name: nameComplaint },
    send: async (values) => {
      const wanted = values.name.trim();
      if (wanted !== name) notify({ tone: "success", message: await changeName(wanted) });
    },
    explain: (error) => failureText(error, texts.nameFailed),
  });
  return (
    <AccountCard title={texts.profile} lead={texts.profileLead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.name} error={errors.name}>
            <Input
              name="name"
              autoComplete="name"
              required
              defaultValue={name}
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
          <Button type="submit" isBusy={isBusy} className="sm:justify-self-start">
            {texts.saveName}
          </Button>
        </fieldset>
      </form>
      <LeaveQuestion isHeld={typed.trim() !== name} question={texts.nameUnsaved} />
    </AccountCard>
  );
};

/** Downloads what the server keeps with the reader's account, and says what is not in it and whom to ask. */
const DataCard = () => {
  const { act, isBusy, error } = useAct(async () => {
    const text = JSON.stringify(await exportData(), null, 2);
    saveFile({ name: texts.dataFile, type: "application/json", text });
  });
  return (
    <AccountCard title={texts.data} lead={texts.dataLead}>
      {error !== null && <Alert severity="error">{failureText(error, texts.dataFailed)}</Alert>}
      <p className="text-sm">
        {texts.dataLess}{" "}
        <Link href="/contact" className="underline underline-offset-4">
          {texts.dataAsk}
        </Link>
        .
      </p>
      <Button variant="outline" isBusy={isBusy} onClick={act} className="sm:justify-self-start">
        <Download aria-hidden="true" />
        {texts.download}
      </Button>
    </AccountCard>
  );
};
