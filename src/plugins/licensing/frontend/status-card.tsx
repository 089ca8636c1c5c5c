import {
  Alert,
  Badge,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  ConfirmDialog,
  Fact,
  formatCount,
  formatDate,
} from "@atrium/plugin-sdk/ui";
import { useEffect, useRef, useState } from "react";
import type { LicenceState, LicenceView } from "../backend/wire.ts";
import { texts } from "./texts.ts";

type StatusCardProps = { view: LicenceView; onRemove: () => Promise<void> };

/** The current license: its owner, its expiry date, and a button to remove it. */
export const StatusCard = ({ view, onRemove }: StatusCardProps) => {
  const { state, note } = view;
  const title = useFocusOnChange(`${state} ${view.enteredAt}`);
  return (
    <Card>
      <CardHeader>
        <CardTitle ref={title} tabIndex={-1}>
          {texts.status}
        </CardTitle>
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      </CardHeader>
      <CardContent className="grid gap-5">
        {isTrouble(state) ? (
          <Alert severity="warning">{note}</Alert>
        ) : (
          <p className="text-muted-foreground text-sm leading-6">{note}</p>
        )}
        <Facts view={view} />
        {state !== "community" && <Removal view={view} onRemove={onRemove} />}
      </CardContent>
    </Card>
  );
};

/** Focuses a heading when the content below it changes: the button that changed it may be gone. */
const useFocusOnChange = (mark: string) => {
  const target = useRef<HTMLHeadingElement>(null);
  const before = useRef(mark);
  useEffect(() => {
    if (before.current !== mark) target.current?.focus();
    before.current = mark;
  }, [mark]);
  return target;
};

const tones = {
  community: "neutral",
  active: "success",
  grace: "warning",
  expired: "danger",
  invalid: "danger",
} as const satisfies Record<LicenceState, string>;

const isTrouble = (state: LicenceState): boolean => state !== "community" && state !== "active";

const Facts = ({ view }: { view: LicenceView }) => {
  const { state, plan, owner, licence, daysLeft, enteredAt } = view;
  const { facts } = texts;
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[auto_1fr]">
      <Fact name={facts.plan}>{plan}</Fact>
      <Fact name={facts.owner}>{owner ?? facts.noOwner}</Fact>
      {licence !== null && (
        <>
          {owner === null && <Fact name={facts.id}>{texts.ended(licence.plan, licence.owner)}</Fact>}
          {owner !== null && <Fact name={facts.id}>{licence.id}</Fact>}
          <Fact name={facts.issued}>{formatDate(licence.issuedAt)}</Fact>
          <Fact name={facts.ends}>
            {licence.expiresAt === null ? facts.never : lastDay(licence.expiresAt)}
          </Fact>
          {licence.graceEndsAt !== null && licence.graceDays > 0 && (
            <Fact name={facts.grace}>{lastDay(licence.graceEndsAt)}</Fact>
          )}
        </>
      )}
      {daysLeft !== null && (
        <Fact name={state === "grace" ? facts.graceLeft : facts.left}>{formatCount(daysLeft)}</Fact>
      )}
      {enteredAt !== null && <Fact name={facts.entered}>{formatDate(enteredAt)}</Fact>}
    </dl>
  );
};

const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** Dates are in UTC, as in the keys; `end` is the first instant at which the license is no longer valid. */
const lastDay = (end: string): string => utcDay.format(new Date(Date.parse(end) - 1));

const Removal = ({ view: { owner }, onRemove }: StatusCardProps) => {
  const [isAsking, setIsAsking] = useState(false);
  const { removal } = texts;
  return (
    <div>
      <Button variant="outline" onClick={() => setIsAsking(true)}>
        {removal.open}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={removal.title}
        question={owner === null ? removal.ofKey : removal.question(owner)}
        action={removal.action}
        fallback={removal.failed}
        onConfirm={async () => {
          await onRemove();
          setIsAsking(false);
        }}
      />
    </div>
  );
};
