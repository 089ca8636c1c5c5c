import { useSearchParams } from "wouter";
import { PageHeader } from "../page-header.tsx";
import { AccountsSection } from "./accounts-section.tsx";
import { PendingSection } from "./pending-section.tsx";
import { pendingTexts, usersTexts as texts } from "./texts.ts";
import { readUserQuery, type ShowUsers, writeUserQuery } from "./user-query.ts";
import { UserTabs } from "./user-tabs.tsx";

/** Everyone with an account and everyone who registered; what is shown, the open details too, stands in the address bar. */
export const AdminUsersPage = () => {
  const [params, setParams] = useSearchParams();
  const query = readUserQuery(params);
  const show: ShowUsers = (change, how) =>
    // What is in the address by then counts: a search waits for a pause in typing.
    setParams((now) => writeUserQuery({ ...readUserQuery(now), ...change }), {
      replace: how === "same-step",
    });
  return (
    <div className="grid gap-6">
      <PageHeader title={texts.title} lead={query.tab === "accounts" ? texts.lead : pendingTexts.lead} />
      <UserTabs tab={query.tab} />
      {query.tab === "accounts" ? (
        <AccountsSection query={query} show={show} />
      ) : (
        <PendingSection query={query} show={show} />
      )}
    </div>
  );
};
