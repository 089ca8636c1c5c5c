import { UserPlus, UserRoundSearch } from "lucide-react";
import { useCallback, useState } from "react";
import type { UserList } from "#api/modules/users/contract.ts";
import { emailComplaint, nameComplaint, passwordComplaint } from "#contract/account-rules.ts";
import { roles } from "#contract/users.ts";
import { FormDialog } from "#ui/components/form.tsx";
import { NewPasswordField } from "#ui/components/password-field.tsx";
import { Button } from "#ui/components/ui/button.tsx";

import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { oneOf, useAddressQuery } from "#ui/lib/address-query.ts";
import { client, failureText } from "#ui/lib/api.ts";

import { notify } from "#ui/lib/notices.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { PageHeader } from "../page-header.tsx";
import { FilterSelect, ListSearch, NoRows, PagedList, pageBounds } from "../paged-list.tsx";
import { TabLinks } from "../tab-links.tsx";
import { roleOptions } from "../texts.ts";
import { InvitationsSection } from "./invitations-section.tsx";
import { PendingSection } from "./pending-section.tsx";
import { createTexts, invitationsTexts, pendingTexts, usersTexts } from "./texts.ts";
import { UserSheet } from "./user-sheet.tsx";
import {
  type ShowUsers,
  type UserQuery,
  type UserTab,
  UserTable,
  userQuery,
  userStatuses,
} from "./user-table.tsx";

/** Everyone with an account and everyone who registered; what is shown, the open details too, is in the address bar. */
export const AdminUsersPage = () => {
  const [query, show] = useAddressQuery(userQuery);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={usersTexts.title}
        lead={{ accounts: usersTexts, pending: pendingTexts, invitations: invitationsTexts }[query.tab].lead}
      />
      <UserTabs tab={query.tab} />
      {query.tab === "accounts" && <AccountsSection query={query} show={show} />}
      {query.tab === "pending" && <PendingSection query={query} show={show} />}
      {query.tab === "invitations" && <InvitationsSection query={query} show={show} />}
    </div>
  );
};

/** The way from one list of the page to the other. */
const UserTabs = ({ tab }: { tab: UserTab }) => (
  <TabLinks
    label={usersTexts.whichList}
    tabs={usersTexts.tabs}
    current={tab}
    addressOf={(name) => (name === "accounts" ? "/admin/users" : `/admin/users?tab=${name}`)}
  />
);

type SectionProps = { query: UserQuery; show: ShowUsers };

/** The accounts that match, a page at a time, with the details of one of them. */
const AccountsSection = ({ query, show }: SectionProps) => {
  const { search, role, status, page } = query;
  const load = useCallback(async () => {
    const wanted = { search: search || undefined, role: role ?? undefined, status: status ?? undefined };
    return (await client.users.list({ ...pageBounds(page), ...wanted })).data;
  }, [search, role, status, page]);
  const loaded = useLoad(load);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 grow">
          <UserToolbar query={query} onChange={(change) => show({ ...change, page: 1 }, "same-step")} />
        </div>
        <Button onClick={() => setIsAdding(true)} className="max-sm:w-full">
          <UserPlus aria-hidden="true" />
          {createTexts.open}
        </Button>
      </div>
      <PagedList
        loaded={loaded}
        loading={usersTexts.loading}
        page={page}
        onPage={(next) => show({ page: next }, "step")}
        rowsOf={({ users }) => users}
      >
        {(data) => <Accounts data={data} query={query} show={show} />}
      </PagedList>
      {query.user !== null && (
        <UserSheet
          key={query.user}
          id={query.user}
          onClose={() => show({ user: null }, "same-step")}
          onChange={loaded.reload}
        />
      )}
      {isAdding && <CreateUserDialog onClose={() => setIsAdding(false)} onCreated={loaded.reload} />}
    </>
  );
};

const Accounts = ({ data, query, show }: SectionProps & { data: UserList }) => {
  const { user } = useSession();
  if (data.users.length > 0)
    return (
      <UserTable users={data.users} ownId={user?.id ?? null} onOpen={(id) => show({ user: id }, "step")} />
    );
  const { search, role, status } = query;
  const isFiltered = role !== null || status !== null;
  return (
    <NoRows
      Icon={UserRoundSearch}
      total={data.pagination.total}
      isNarrowed={search !== "" || isFiltered}
      words={{
        ...usersTexts,
        noMatchText: isFiltered ? usersTexts.noMatchFilters : usersTexts.noMatchText(search),
      }}
      onShowAll={() => show({ search: "", role: null, status: null, page: 1 }, "step")}
    />
  );
};

type UserToolbarProps = {
  query: UserQuery;
  onChange: (change: Partial<UserQuery>) => void;
};

/** Narrows the list of accounts down. */
const UserToolbar = ({ query, onChange }: UserToolbarProps) => (
  <div className="grid grid-cols-2 items-end gap-4 sm:grid-cols-[minmax(0,24rem)_9rem_9rem]">
    <div className="max-sm:col-span-2">
      <ListSearch search={query.search} onSearch={(search) => onChange({ search })} />
    </div>
    <FilterSelect
      label={usersTexts.role}
      any={usersTexts.anyRole}
      value={query.role ?? ""}
      options={roleOptions}
      onChange={(role) => onChange({ role: oneOf(roles, role) })}
    />
    <FilterSelect
      label={usersTexts.status}
      any={usersTexts.anyStatus}
      value={query.status ?? ""}
      options={Object.entries(usersTexts.statuses)}
      onChange={(status) => onChange({ status: oneOf(userStatuses, status) })}
    />
  </div>
);

const rules = {
  name: nameComplaint,
  email: emailComplaint,
  password: passwordComplaint,
  role: () => null,
};

type CreateUserDialogProps = { onClose: () => void; onCreated: () => void };

/** Adds a user who may sign in immediately. */
const CreateUserDialog = ({ onClose, onCreated }: CreateUserDialogProps) => {
  const { errors, ...form } = useForm({
    rules,
    send: async ({ name, email, password, role }) => {
      const person = { name: name.trim(), email: email.trim(), password };
      const { message } = await client.users.create({ ...person, role: oneOf(roles, role) ?? "user" });
      notify({ tone: "success", message });
      onClose();
      onCreated();
    },
    explain: (error) => failureText(error, createTexts.failed),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={createTexts.title}
      description={createTexts.lead}
      action={createTexts.submit}
    >
      <Field label={createTexts.name} error={errors.name}>
        <Input name="name" autoComplete="off" required autoFocus />
      </Field>
      <Field label={createTexts.email} error={errors.email}>
        <Input name="email" type="email" inputMode="email" autoComplete="off" required />
      </Field>
      <NewPasswordField label={createTexts.password} name="password" error={errors.password} />
      <Field label={createTexts.role} hint={createTexts.roleHint} error={errors.role}>
        <Select name="role" defaultValue="user" options={roleOptions} />
      </Field>
    </FormDialog>
  );
};
