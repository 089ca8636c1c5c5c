import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { disableUser, endSessions, setRole, type UserDetail } from "./api.ts";
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
        const message = await send(user.id);
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
    send: (id: string) => setRole(id, "admin"),
  },
  "make-user": {
    title: texts.makeUserTitle,
    words: texts.makeUserQuestion,
    action: texts.makeUser,
    fallback: texts.roleFailed,
    send: (id: string) => setRole(id, "user"),
  },
  disable: {
    title: texts.disableTitle,
    words: texts.disableQuestion,
    action: texts.disable,
    fallback: texts.disableFailed,
    send: disableUser,
  },
  "end-sessions": {
    title: texts.endTitle,
    words: texts.endQuestion,
    action: texts.end,
    fallback: texts.endFailed,
    send: endSessions,
  },
} as const;
