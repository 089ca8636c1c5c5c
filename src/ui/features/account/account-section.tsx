import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { isMissing, MissingParts } from "./account-card.tsx";
import { getAccount } from "./api.ts";
import { DataCard } from "./data-card.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { MethodsCard } from "./methods-card.tsx";
import { NameCard } from "./name-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

const listSessions = async () => (await client.account.sessions()).data.sessions;

/** Everything that people can do to their own account. What needs data that could not be had stands in one message. */
export const AccountSection = ({ name }: { name: string }) => {
  const account = useLoad(getAccount);
  const sessions = useLoad(listSessions);
  return (
    <>
      <NameCard name={name} />
      <MissingParts parts={[account, sessions]} />
      {!isMissing(account) && (
        <>
          <PasswordCard name={name} account={account} onChange={sessions.reload} />
          <MethodsCard account={account} />
        </>
      )}
      {!isMissing(sessions) && <SessionsCard sessions={sessions} />}
      <DataCard />
      {!isMissing(account) && <DeleteCard account={account} />}
    </>
  );
};
