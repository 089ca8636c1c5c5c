import type { UserDetail } from "#api/modules/users/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { client } from "#ui/lib/client.ts";
import { userTexts as texts } from "./texts.ts";

/** What is asked about before it is done. */
export type UserQuestion = "make-admin" | "make-user" | "disable" | "end-sessions";

type UserQuestionDialogProps = {
  user: UserDetail;
  isOwn: boolean;
  question: UserQuestion;
  onClose: () => void;
  /** Called with what to tell once it is done. */
  onDone: (message: string) => void;
};

/** Asks before something that its user will feel, and does it. */
export const UserQuestionDialog = ({ user, isOwn, question, onClose, onDone }: UserQuestionDialogProps) => {
  const { title, words, action, fallback, send } = questions[question];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      question={isOwn ? `${words(user.name)} ${texts.own}` : words(user.name)}
      action={action}
      fallback={fallback}
      onConfirm={async () => {
        const { message } = await send(user.id);
        onClose();
        onDone(message);
      }}
    />
  );
};

const questions = {
  "make-admin": {
    title: texts.makeAdminTitle,
    words: texts.makeAdminQuestion,
    action: texts.makeAdmin,
    fallback: texts.roleFailed,
    send: (user: string) => client.users.setRole({ user, role: "admin" }),
  },
  "make-user": {
    title: texts.makeUserTitle,
    words: texts.makeUserQuestion,
    action: texts.makeUser,
    fallback: texts.roleFailed,
    send: (user: string) => client.users.setRole({ user, role: "user" }),
  },
  disable: {
    title: texts.disableTitle,
    words: texts.disableQuestion,
    action: texts.disable,
    fallback: texts.disableFailed,
    send: (user: string) => client.users.disable({ user }),
  },
  "end-sessions": {
    title: texts.endTitle,
    words: texts.endQuestion,
    action: texts.end,
    fallback: texts.endFailed,
    send: (user: string) => client.users.signOut({ user }),
  },
} as const;
