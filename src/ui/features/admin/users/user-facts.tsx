import type { UserDetail } from "#api/modules/users/contract.ts";
import { Copyable } from "../copyable.tsx";
import { Fact } from "../fact.tsx";
import { formatDateTime } from "../format.ts";
import { SheetPart } from "../sheet-part.tsx";
import { roleTexts } from "../texts.ts";
import { StatusMark } from "./status-mark.tsx";
import { userTexts as texts, usersTexts } from "./texts.ts";
import { waysIn } from "./ways-in.ts";

/** Who somebody is, with what is worth copying. */
export const UserFacts = ({ user }: { user: UserDetail }) => {
  const ways = user.hasPassword ? [texts.password, ...waysIn(user)] : waysIn(user);
  return (
    <SheetPart title={texts.facts}>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
        <Fact name={texts.email}>
          <Copyable name={texts.email} text={user.email} />
        </Fact>
        <Fact name={texts.id}>
          <Copyable name={texts.id} text={user.id} isCode />
        </Fact>
        <Fact name={texts.role}>{roleTexts[user.role]}</Fact>
        <Fact name={texts.status}>
          <StatusMark isDisabled={user.disabled} />
          {!user.emailVerified && texts.unverified}
        </Fact>
        <Fact name={texts.methods}>{ways.join(", ") || texts.noMethods}</Fact>
        <Fact name={texts.joined}>
          <time dateTime={user.createdAt}>{formatDateTime(user.createdAt)}</time>
        </Fact>
        <Fact name={texts.seen}>
          {user.lastSeenAt === null ? (
            usersTexts.never
          ) : (
            <time dateTime={user.lastSeenAt}>{formatDateTime(user.lastSeenAt)}</time>
          )}
        </Fact>
      </dl>
    </SheetPart>
  );
};
