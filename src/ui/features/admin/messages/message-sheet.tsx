import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { ContactMessage } from "#api/modules/contact/contract.ts";
import { labelled } from "#contract/contact-rules.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Fact } from "../facts.tsx";
import { formatDateTime } from "../format.ts";
import { messagesTexts as texts } from "./texts.ts";

type MessageSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One message, whole, with what can be done about it. */
export const MessageSheet = ({ id, onClose, onChange }: MessageSheetProps) => {
  const load = useCallback(async () => (await client.contact.get({ id })).data, [id]);
  const { data, error, reload } = useLoad(load);
  const [isAsking, setIsAsking] = useState(false);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  const hasLoaded = data !== null;
  // To look at a message makes it a read one.
  useEffect(() => {
    if (hasLoaded) tell.current();
  }, [hasLoaded]);
  const handling = useAct(async () => {
    if (data === null) return;
    const { message } = await client.contact.update({ id, handled: data.handledAt === null });
    notify({ tone: "success", message });
    reload();
    onChange();
  });
  const remove = async () => {
    const { message } = await client.contact.remove({ id });
    notify({ tone: "success", message });
    setIsAsking(false);
    onClose();
    onChange();
  };
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={data === null ? texts.detail : texts.from(data.name)}
      actions={
        data !== null && (
          <>
            <a
              href={replyAddress({ email: data.email, subject: texts.replySubject(data.subject) })}
              className={buttonVariants({ size: "sm" })}
            >
              {texts.reply}
            </a>
            <Button variant="outline" size="sm" isBusy={handling.isBusy} onClick={handling.act}>
              {data.handledAt === null ? texts.handle : texts.reopen}
            </Button>
            <Button variant="outline" size="sm" className="sm:ml-auto" onClick={() => setIsAsking(true)}>
              {texts.delete}
            </Button>
          </>
        )
      }
    >
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && <Skeleton className="h-40 w-full" />}
      {handling.error !== null && (
        <Alert severity="error" className="mb-5">
          {failureText(handling.error, texts.changeFailed)}
        </Alert>
      )}
      {data !== null && <MessageBody message={data} />}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.deleteTitle}
        question={texts.deleteText(data?.name ?? "")}
        action={texts.deleteConfirm}
        fallback={texts.deleteFailed}
        onConfirm={remove}
      />
    </Sheet>
  );
};

const requestId = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** Where the firewall explains the request whose ID a message quotes, as its block page asks for; `null` without one. */
export const explanationAddress = (text: string): string | null => {
  const id = requestId.exec(text)?.[0];
  return id === undefined ? null : `/admin/firewall/explain/${id}`;
};

const MessageBody = ({ message }: { message: ContactMessage }) => {
  const explanation = explanationAddress(message.message);
  return (
    <div className="grid gap-6">
      <p className="wrap-anywhere whitespace-pre-wrap text-sm leading-6">{message.message}</p>
      <dl className="grid gap-x-6 gap-y-3 border-border border-t pt-5 text-sm sm:grid-cols-[8rem_1fr]">
        {labelled(message, { without: ["name", "message"] }).map(([label, content]) => (
          <Fact key={label} name={label}>
            {content}
          </Fact>
        ))}
        <Fact name={texts.received}>
          <time dateTime={message.createdAt}>{formatDateTime(message.createdAt)}</time>
        </Fact>
        {message.handledAt !== null && (
          <Fact name={texts.handledOn}>
            <time dateTime={message.handledAt}>{formatDateTime(message.handledAt)}</time>
          </Fact>
        )}
        {message.userId !== null && (
          <Fact name={texts.account}>
            <Link
              href={`/admin/users?search=${encodeURIComponent(message.email)}`}
              className="text-primary underline underline-offset-4"
            >
              {texts.showAccount}
            </Link>
          </Fact>
        )}
        {explanation !== null && (
          <Fact name={texts.request}>
            <Link href={explanation} className="text-primary underline underline-offset-4">
              {texts.showRequest}
            </Link>
          </Fact>
        )}
        <Fact name={texts.ip}>{message.ip}</Fact>
        <Fact name={texts.browser}>{message.userAgent ?? texts.unknown}</Fact>
      </dl>
    </div>
  );
};

/** The address that opens an email to someone in the reader's own email program (RFC 6068). */
export const replyAddress = ({ email, subject }: { email: string; subject: string }): string =>
  // The sign between name and host is written as it is.
  `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(subject)}`;
