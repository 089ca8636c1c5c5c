import { roles } from "#contract/users.ts";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { oneOf } from "../list-filters.ts";
import { ListSearch } from "../list-search.tsx";
import { roleTexts } from "../texts.ts";
import { usersTexts as texts } from "./texts.ts";
import { type UserQuery, userStatuses } from "./user-query.ts";

type UserToolbarProps = {
  query: UserQuery;
  onChange: (change: Partial<UserQuery>) => void;
};

/** Narrows the list of accounts down. */
export const UserToolbar = ({ query, onChange }: UserToolbarProps) => (
  <div className="grid grid-cols-2 items-end gap-4 sm:grid-cols-[minmax(0,24rem)_9rem_9rem]">
    <div className="max-sm:col-span-2">
      <ListSearch search={query.search} onSearch={(search) => onChange({ search })} />
    </div>
    <Field label={texts.role}>
      <Select
        value={query.role ?? ""}
        onChange={(event) => onChange({ role: oneOf(roles, event.target.value) })}
      >
        <option value="">{texts.anyRole}</option>
        {roles.map((role) => (
          <option key={role} value={role}>
            {roleTexts[role]}
          </option>
        ))}
      </Select>
    </Field>
    <Field label={texts.status}>
      <Select
        value={query.status ?? ""}
        onChange={(event) => onChange({ status: oneOf(userStatuses, event.target.value) })}
      >
        <option value="">{texts.anyStatus}</option>
        {userStatuses.map((status) => (
          <option key={status} value={status}>
            {texts.statuses[status]}
          </option>
        ))}
      </Select>
    </Field>
  </div>
);
