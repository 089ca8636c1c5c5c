import { useLoad } from "#ui/lib/use-load.ts";
import { getAccount, listSessions } from "./api.ts";
import { DataCard } from "./data-card.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { MethodsCard } from "./methods-card.tsx";
import { NameCard } from "./name-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** Everything that people can do to their own account. */
export const AccountSection = ({ name }: { name: string }) => {
  const account = useLoad(getAccount);
  const sessions = useLoad(listSessions);
  return (
    <>
      <NameCard name={name} />
      <PasswordCard account={account} onChange={sessions.reload} />
      <MethodsCard account={account} />
      <SessionsCard sessions={sessions} />
      <DataCard />
      <DeleteCard account={account} />
    </>
  );
};
