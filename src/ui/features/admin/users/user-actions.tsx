import { useState } from "react";
import type { UserDetail } from "#api/modules/users/contract.ts";
import { lastAdminText } from "#contract/errors.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { SheetPart } from "../sheet-part.tsx";
import { ActionRow } from "./action-row.tsx";
import { DeleteUserDialog } from "./delete-user-dialog.tsx";
import { userTexts as texts } from "./texts.ts";
import { type UserQuestion, UserQuestionDialog } from "./user-question-dialog.tsx";

type UserActionsProps = {
  user: UserDetail;
  isOwn: boolean;
  onChanged: () => void;
  onDeleted: () => void;
};

/** What an administrator can do about a user. The last administrator stays one: the reason stands where it is refused. */
export const UserActions = ({ user, isOwn, onChanged, onDeleted }: UserActionsProps) => {
  const [asked, setAsked] = useState<UserQuestion | "delete" | null>(null);
  const tell = (message: string) => {
    notify({ tone: "success", message });
    onChanged();
  };
  const named = { user: user.id };
  const enabling = useAct(async () => tell((await client.users.enable(named)).message));
  const resetting = useAct(async () => {
    const { message } = await client.users.sendReset(named);
    notify({ tone: "success", message });
  });
  const { isLastAdmin, disabled } = user;
  const unlessLast = (text: string) => (isLastAdmin ? lastAdminText : text);
  return (
    <SheetPart title={texts.actions}>
      <ul className="divide-y divide-border rounded-md border border-border">
        <ActionRow
          label={user.role === "admin" ? texts.makeUser : texts.makeAdmin}
          text={user.role === "admin" ? unlessLast(texts.makeUserText) : texts.makeAdminText}
          isRefused={isLastAdmin}
          onPress={() => setAsked(user.role === "admin" ? "make-user" : "make-admin")}
        />
        {disabled ? (
          <ActionRow
            label={texts.enable}
            text={texts.enableText}
            isBusy={enabling.isBusy}
            problem={problemOf(enabling.error, texts.enableFailed)}
            onPress={enabling.act}
          />
        ) : (
          <ActionRow
            label={texts.disable}
            text={unlessLast(texts.disableText)}
            isRefused={isLastAdmin}
            onPress={() => setAsked("disable")}
          />
        )}
        <ActionRow
          label={texts.reset}
          text={disabled ? texts.resetDisabled : texts.resetText}
          isRefused={disabled}
          isBusy={resetting.isBusy}
          problem={problemOf(resetting.error, texts.resetFailed)}
          onPress={resetting.act}
        />
        <ActionRow
          label={texts.end}
          text={user.sessionCount === 0 ? texts.endNone : texts.endText}
          isRefused={user.sessionCount === 0}
          onPress={() => setAsked("end-sessions")}
        />
        <ActionRow
          label={texts.delete}
          text={unlessLast(texts.deleteText)}
          isRefused={isLastAdmin}
          isDangerous
          onPress={() => setAsked("delete")}
        />
      </ul>
      {asked === "delete" && (
        <DeleteUserDialog user={user} isOwn={isOwn} onClose={() => setAsked(null)} onDeleted={onDeleted} />
      )}
      {asked !== null && asked !== "delete" && (
        <UserQuestionDialog
          user={user}
          isOwn={isOwn}
          question={asked}
          onClose={() => setAsked(null)}
          onDone={tell}
        />
      )}
    </SheetPart>
  );
};

const problemOf = (error: unknown, fallback: string): string | null =>
  error === null ? null : failureText(error, fallback);
